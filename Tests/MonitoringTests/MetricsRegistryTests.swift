// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import TestTurns
import Testing

@testable import Monitoring

/// Tests the registry through swift-metrics' API.
@Suite(.inShortTurn, .timeLimit(.minutes(20)))
struct MetricsRegistryTests {
    private func text(_ registry: MetricsRegistry) -> String { PrometheusText.write(registry.snapshot) }

    @Test
    func everyInstrumentOfTheAPI() {
        let registry = MetricsRegistry([
            .histogram("waits", bounds: [0.5, 2], help: ""), .histogram("sizes", bounds: [1, 10], help: ""),
        ])
        let counter = Counter(label: "count", factory: registry)
        counter.increment()
        counter.increment(by: 4)
        FloatingPointCounter(label: "cpu", factory: registry).increment(by: 0.25)
        Gauge(label: "level", factory: registry).record(7)
        let meter = Meter(label: "depth", factory: registry)
        meter.set(5)
        meter.decrement(by: 2)
        let timer = Timer(label: "waits", factory: registry)
        timer.recordMilliseconds(400)
        timer.recordSeconds(3)
        Recorder(label: "sizes", factory: registry).record(10)
        #expect(
            text(registry) == """
                # TYPE count counter
                count 5
                # TYPE cpu counter
                cpu 0.25
                # TYPE depth gauge
                depth 3
                # TYPE level gauge
                level 7
                # TYPE sizes histogram
                sizes_bucket{le="1"} 0
                sizes_bucket{le="10"} 1
                sizes_bucket{le="+Inf"} 1
                sizes_sum 10
                sizes_count 1
                # TYPE waits histogram
                waits_bucket{le="0.5"} 1
                waits_bucket{le="2"} 1
                waits_bucket{le="+Inf"} 2
                waits_sum 3.4
                waits_count 2

                """)
    }

    @Test
    func labelsOverTheLimitAreCountedTogether() {
        let definition = MetricDefinition(.counter, "asked_total", labels: ["by"], seriesLimit: 3, help: "")
        let registry = MetricsRegistry([definition])
        for number in 0..<10_000 {
            Counter(label: "asked_total", dimensions: [("by", "peer \(number)")], factory: registry).increment()
        }
        #expect(
            text(registry) == """
                # TYPE asked_total counter
                asked_total{by="other"} 9997
                asked_total{by="peer 0"} 1
                asked_total{by="peer 1"} 1
                asked_total{by="peer 2"} 1

                """)
    }

    @Test
    func namesAndValuesAreBounded() {
        let registry = MetricsRegistry()
        for number in 0..<(MetricsRegistry.familyLimit + 500) {
            Gauge(label: "made_up_\(number)", factory: registry).record(1)
        }
        #expect(registry.snapshot.count == MetricsRegistry.familyLimit)
        let other = MetricsRegistry()
        Gauge(label: "g", dimensions: [("v", String(repeating: "x", count: 1_000_000))], factory: other).record(1)
        #expect(text(other).utf8.count < 300)
    }

    @Test
    func aNameHasOneType() {
        let registry = MetricsRegistry([.gauge("level", help: "")])
        Counter(label: "level", factory: registry).increment()
        #expect(text(registry).isEmpty)
    }

    @Test
    func aSeriesThatIsDestroyedIsGone() {
        let registry = MetricsRegistry([.gauge("rows", labels: ["source"], help: "")])
        let gauge = Gauge(label: "rows", dimensions: [("source", "a")], factory: registry)
        gauge.record(1)
        Gauge(label: "rows", dimensions: [("source", "b")], factory: registry).record(2)
        gauge.destroy()
        #expect(text(registry) == "# TYPE rows gauge\nrows{source=\"b\"} 2\n")
    }

    @Test
    func manyThreadsLoseNothing() async {
        let registry = MetricsRegistry()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<2_000 { Counter(label: "c", factory: registry).increment() }
                }
                group.addTask {
                    for _ in 0..<50 { _ = registry.snapshot }
                }
            }
        }
        #expect(text(registry) == "# TYPE c counter\nc 16000\n")
    }

    @Test
    func aMirrorHandsOverWhatHasBeenAdded() {
        let registry = MetricsRegistry()
        var mirror = MetricsMirror(registry)
        let total = MetricDefinition.counter("t_total", labels: ["kind"], help: "")
        let times = MetricDefinition.histogram("t", bounds: [1], help: "")
        let info = MetricDefinition.gauge("info", labels: ["run"], help: "")
        for (count, counts, sum, run) in [(0, [0, 0], 0.0, "1"), (5, [2, 1], 4.5, "1"), (9, [2, 2], 6.5, "2")] {
            mirror.count(total, "near", total: UInt64(count))
            mirror.distribute(times, counts: counts.map { UInt64($0) }, sum: sum)
            mirror.replace(info, with: [[run]: 1])
        }
        // A smaller total means that the counter was reset. An older state of a histogram is ignored.
        mirror.count(total, "near", total: 5)
        mirror.distribute(times, counts: [2, 1], sum: 4.5)
        #expect(
            text(registry) == """
                # TYPE info gauge
                info{run="2"} 1
                # TYPE t histogram
                t_bucket{le="1"} 2
                t_bucket{le="+Inf"} 4
                t_sum 6.5
                t_count 4
                # TYPE t_total counter
                t_total{kind="near"} 14

                """)
    }
}
