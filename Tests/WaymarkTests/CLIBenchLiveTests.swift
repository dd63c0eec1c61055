// SPDX-License-Identifier: Apache-2.0

import LoadTest
import Monitoring
import TestTurns
import Testing
import ZeroMQ

@testable import WaymarkCLI

@Suite("A load test while it runs", .inShortTurn)
struct CLIBenchLiveTests {
    private static func second(done: UInt64, failed: UInt64 = 0) -> Tally.Second {
        var second = Tally.Second()
        (second.done, second.failed, second.p50, second.p99) = (done, failed, 120, 3_400)
        if failed > 0 { second.errors = ["timed_out": failed] }
        return second
    }

    /// What a terminal shows after these calls, without the rest of a line that has ended.
    private static func shown(
        _ width: Int, resized: Int? = nil, _ body: (BenchLive) -> Void
    ) async -> (lines: [String], all: String) {
        let (err, columns, resize) = (MemorySink(), Locked(width), Locked<(@Sendable () -> Void)?>(nil))
        var surroundings = Surroundings(environment: ["TERM": "xterm"], out: MemorySink(), err: err)
        surroundings.errWidth = width
        surroundings.errColumns = { columns.withLock { $0 } }
        surroundings.whenResized = { redraw in resize.withLock { $0 = redraw } }
        let live = BenchLive(surroundings)
        body(live)
        if let resized {
            // What came before is drawn at the old width.
            while !err.text.contains("left") { await Task.yield() }
            columns.withLock { $0 = resized }
            resize.withLock { $0 }?()
        }
        await live.close()
        // Without the last write, which clears the status.
        let all = err.writes.dropLast().joined()
        return (CLITerminal(all, columns: 200).lines, all)
    }

    @Test("the status has the rate, the percentiles, the errors of the whole run, and the time that is left")
    func status() async throws {
        let shape = LoadShape(loop: .open(.rate(1_000), arrival: .constant), end: .duration(seconds: 30))
        let lines = await Self.shown(150) { live in
            live.begin("64 B", shape)
            live.tell(1, Self.second(done: 1_000, failed: 2))
            live.tell(2, Self.second(done: 1_004, failed: 1))
        }.lines
        #expect(lines.count == 3 && lines[0].hasPrefix("   1 s") && lines[1].hasPrefix("   2 s"))
        #expect(lines[2].hasPrefix("[##  "))
        #expect(lines[2].hasSuffix("] 64 B: 1,004/s, p50 120 µs, p99 3.40 ms, 3 errors, 28 s left"), "\(lines[2])")
    }

    @Test("a run of a number of operations tells how many are left, failed ones counted")
    func count() async {
        let shape = LoadShape(loop: .closed(window: 1), end: .count(10_000))
        let lines = await Self.shown(150) { live in
            live.begin("64 B", shape)
            live.tell(1, Self.second(done: 2_500, failed: 1))
        }.lines
        #expect(lines.last?.hasSuffix("1 error, 7,499 left") == true, "\(lines)")
    }

    @Test("a profile tells its part")
    func part() async throws {
        let profile = try LoadProfile("2s@500, 3s@500..2k")
        let shape = LoadShape(
            loop: .open(.profile(profile), arrival: .constant), end: .duration(seconds: profile.seconds))
        let lines = await Self.shown(150) { live in
            live.begin("64 B", shape)
            live.tell(1, Self.second(done: 500))
            live.tell(2, Self.second(done: 500))
        }.lines
        #expect(lines.last?.hasSuffix("0 errors, 3 s left, part 2 of 2: 3.00 s at 500/s to 2000/s") == true, "\(lines)")
    }

    @Test("a narrower terminal has the status in its width, and nothing is left of the wrapped one")
    func resize() async {
        let shape = LoadShape(loop: .closed(window: 1), end: .duration(seconds: 9))
        let (_, all) = await Self.shown(150, resized: 40) { live in
            live.begin("64 B", shape)
            live.tell(1, Self.second(done: 5))
        }
        // The status had more than 80 columns, so it takes three rows of 40.
        let last = all.components(separatedBy: "\r\u{1b}[2A\u{1b}[J")
        #expect(last.count == 2 && last[1].count == 39 && last[1].hasPrefix("64 B: 5/s, p50 120 µs"), "\(last)")
    }

    @Test("without a terminal, and on a dumb one, nothing is written")
    func quiet() async {
        for (width, term) in [(nil, "xterm"), (80, "dumb")] as [(Int?, String)] {
            let err = MemorySink()
            var surroundings = Surroundings(environment: ["TERM": term], out: MemorySink(), err: err)
            surroundings.errWidth = width
            let live = BenchLive(surroundings)
            live.begin("64 B", LoadShape(loop: .closed(window: 1)))
            live.tell(1, Self.second(done: 5))
            await live.close()
            #expect(err.text.isEmpty)
        }
    }

    @Test("the metrics count over all seconds of a run, and have the last second only while it runs")
    func metrics() {
        let metrics = BenchMetrics()
        metrics.begin("64 B")
        metrics.tell(Self.second(done: 10, failed: 2))
        metrics.tell(Self.second(done: 11, failed: 1))
        let text = PrometheusText.write(metrics.families)
        for line in [
            "waymark_bench_operations_total{run=\"64 B\"} 21",
            "waymark_bench_errors_total{run=\"64 B\",code=\"timed_out\"} 3",
            "waymark_bench_operations_per_second{run=\"64 B\"} 11",
            "waymark_bench_latency_seconds{run=\"64 B\",quantile=\"0.5\"} 0.00012",
            "waymark_bench_latency_seconds{run=\"64 B\",quantile=\"0.99\"} 0.0034",
        ] {
            #expect(text.split(separator: "\n").contains { $0 == line }, "\(line) in \(text)")
        }
        metrics.end()
        metrics.begin("4 KiB")
        let next = PrometheusText.write(metrics.families)
        #expect(next.contains("waymark_bench_operations_total{run=\"64 B\"} 21\n"))
        #expect(next.contains("waymark_bench_operations_total{run=\"4 KiB\"} 0\n"))
        #expect(!next.contains("per_second") && !next.contains("quantile"))
    }
}
