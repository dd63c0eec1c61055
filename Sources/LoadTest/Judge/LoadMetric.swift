// SPDX-License-Identifier: Apache-2.0

/// A figure of a run that can be asserted and compared.
public enum LoadMetric: String, CaseIterable, Codable, Sendable {
    case p50, p90, p99
    case p99_9 = "p99.9"
    case p99_99 = "p99.99"
    case max, mean
    case throughput
    /// What part of the intended rate was done; only in an open loop.
    case rate
    /// What part of the bare bus's throughput; only with a bare run beside it.
    case bare
    case loss, repeats, reorders, errors, late, skipped

    public enum Unit: Sendable { case microseconds, perSecond, fraction, count }

    public var unit: Unit {
        switch self {
        case .p50, .p90, .p99, .p99_9, .p99_99, .max, .mean: .microseconds
        case .throughput: .perSecond
        case .rate, .bare: .fraction
        case .loss, .repeats, .reorders, .errors, .late, .skipped: .count
        }
    }

    public var isBetterHigher: Bool { [.throughput, .rate, .bare].contains(self) }

    /// Nil where the run has no such figure.
    ///
    /// - Parameter bare: the run over the bare bus beside it.
    public func value(in run: LoadFigures, bare: LoadFigures? = nil) -> Double? {
        switch self {
        case .p50: run.latency.p50
        case .p90: run.latency.p90
        case .p99: run.latency.p99
        case .p99_9: run.latency.p99_9
        case .p99_99: run.latency.p99_99
        case .max: run.latency.max
        case .mean: run.latency.mean
        case .throughput: run.throughput
        case .rate: run.intendedRate.map { $0 > 0 ? run.throughput / $0 : 0 }
        case .bare: bare.map { $0.throughput > 0 ? run.throughput / $0.throughput : 0 }
        case .loss: Double(run.lost)
        case .repeats: Double(run.repeats)
        case .reorders: Double(run.reorders)
        case .errors: Double(run.failures)
        case .late: Double(run.late)
        case .skipped: Double(run.skipped)
        }
    }
}
