// SPDX-License-Identifier: Apache-2.0

import LoadTest
import Logging
import Monitoring
import WebServer
import ZeroMQ

/// The figures of a running load test for Prometheus.
final class BenchMetrics: Sendable {
    private struct State {
        /// The counts of each run since the program's start, by the run's label.
        var counts: [String: (operations: UInt64, errors: [String: UInt64])] = [:]
        var label = ""
        /// The last complete second of the present run; nil between two runs.
        var last: Tally.Second?
        var listening: Task<Void, Never>?
    }

    private static let operations = MetricDefinition.counter(
        "waymark_bench_operations_total", labels: ["run"], help: "Counted operations that were done.")
    private static let errors = MetricDefinition.counter(
        "waymark_bench_errors_total", labels: ["run", "code"], help: "Counted operations that failed, by error code.")
    private static let rate = MetricDefinition.gauge(
        "waymark_bench_operations_per_second", labels: ["run"], help: "Operations that were done in the last second.")
    private static let latency = MetricDefinition.gauge(
        "waymark_bench_latency_seconds", labels: ["run", "quantile"],
        help: "Latency of the operations in the last second.")

    private let state = Locked(State())

    func begin(_ label: String) {
        state.withLock { state in
            (state.label, state.last) = (label, nil)
            state.counts[label] = state.counts[label] ?? (0, [:])
        }
    }

    func tell(_ second: Tally.Second) {
        state.withLock { state in
            state.last = second
            state.counts[state.label]?.operations &+= second.done
            state.counts[state.label]?.errors.merge(second.errors ?? [:], uniquingKeysWith: &+)
        }
    }

    func end() { state.withLock { $0.last = nil } }

    var families: [MetricFamily] {
        let (counts, label, last) = state.withLock { ($0.counts, $0.label, $0.last) }
        var (rates, times): ([MetricSeries], [MetricSeries]) = ([], [])
        if let last {
            rates = [MetricSeries([label], .number(Double(last.done)))]
            // A second without an operation has no latency.
            if last.done > 0 {
                times = [("0.5", last.p50), ("0.99", last.p99)].map { MetricSeries([label, $0], .number($1 / 1e6)) }
            }
        }
        return [
            MetricFamily(Self.operations, counts.map { MetricSeries([$0], .number(Double($1.operations))) }),
            MetricFamily(
                Self.errors,
                counts.flatMap { label, one in one.errors.map { MetricSeries([label, $0], .number(Double($1))) } }),
            MetricFamily(Self.rate, rates), MetricFamily(Self.latency, times),
        ]
    }

    /// Listens at an address until ``stop()``, and tells the actual port.
    func serve(at address: ListenAddress?, _ output: Output) async throws(Failure) {
        guard let address else { return }
        let (addresses, told) = AsyncThrowingStream<ListenAddress, any Error>.makeStream()
        let pages = MonitoringPages(turn: {}, problems: { [] }, collect: { self.families })
        let listener = MonitoringListener(
            address, pages: pages, logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() },
            setting: "--metrics", listening: { told.yield($0) })
        let task = Task {
            do { try await listener.run() } catch { told.finish(throwing: error) }
            told.finish()
        }
        state.withLock { $0.listening = task }
        do {
            for try await address in addresses {
                return output.notice("metrics", "The metrics are at http://\(address)/metrics.")
            }
            throw CancellationError()
        } catch { throw Failure("metrics", "\(error)") }
    }

    func stop() { state.withLock { $0.listening?.cancel() } }
}
