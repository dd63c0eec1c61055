// SPDX-License-Identifier: Apache-2.0

/// A figure of a run that assertions and comparisons can use.
public enum LoadMetric: String, CaseIterable, Codable, Sendable {
    case p50, p90, p99
    case p99_9 = "p99.9"
    case p99_99 = "p99.99"
    case max, mean
    case throughput
    /// The achieved rate as a share of the intended rate; only in an open loop.
    case rate
    /// The throughput as a share of the bare bus's throughput; only if the same traffic was also run over the bare bus.
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

    /// Returns the figure of a run; nil if the run does not have it, such as `loss` where the test does not see
    /// messages arrive. A run in which no operation succeeded has no figures, because the absence of failures in it
    /// says nothing about the service.
    ///
    /// - Parameter bare: the run of the same traffic over the bare bus.
    public func value(in run: LoadFigures, bare: LoadFigures? = nil) -> Double? {
        guard run.done > 0 else { return nil }
        return switch self {
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
        case .loss: run.lost.map { Double($0) }
        case .repeats: run.repeats.map { Double($0) }
        case .reorders: run.reorders.map { Double($0) }
        case .errors: Double(run.failures)
        case .late: Double(run.late)
        case .skipped: Double(run.skipped)
        }
    }

    /// The reason why a run may lack the figure, as the end of a sentence.
    var absence: String {
        switch self {
        case .loss, .repeats, .reorders: "arrivals were not counted"
        case .rate: "no rate was intended"
        case .bare: "there is no bare run beside it"
        default: "nothing was done"
        }
    }

    /// Whether the figure is counted by the receivers of messages.
    public var isOfArrivals: Bool { [.loss, .repeats, .reorders].contains(self) }
}
