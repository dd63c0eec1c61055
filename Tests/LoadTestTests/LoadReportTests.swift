// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestTurns
import Testing

@testable import LoadTest

@Suite("Reports", .inShortTurn)
struct LoadReportTests {
    static func report() -> LoadReport {
        var tally = Tally(from: 0)
        for value in 1...1_000 as ClosedRange<UInt64> { tally.record(value * 1_000, bytes: 64, at: value * 2_000_000) }
        tally.failed("busy", at: 2_000_000_000)
        tally.sent = 1_001
        var result = LoadResult(tally, seconds: 2, rate: 500)
        (result.figures.lost, result.figures.repeats, result.figures.reorders) = (0, 0, 0)
        (result.figures.servicesCPU, result.figures.servicesMemory) = (1.5, 4_096)
        let shape = LoadShape(loop: .open(.rate(500), arrival: .poisson), end: .duration(seconds: 2))
        var report = LoadReport(
            mode: "bus req", at: Date(timeIntervalSince1970: 0), command: "bench", machine: .here(versions: ["a": "1"]),
            runs: [.init(label: "64 B", shape: shape, result: result)])
        report.warnings = ["w"]
        return report
    }

    @Test("what is written is read again as it was")
    func roundTrip() throws {
        let report = Self.report()
        let data = try report.encoded()
        let again = try LoadReport(data)
        #expect(try again.encoded() == data)
        #expect(again.runs[0].figures == report.runs[0].figures && again.runs[0].shape == report.runs[0].shape)
        #expect(again.runs[0].figures.latency.p99_9 == report.runs[0].figures.latency.p99_9)
        #expect(again.runs[0].latencies.at(50) == report.runs[0].latencies.at(50))
        #expect(!data.contains(10), "one line")
    }

    @Test("the names that programs rely on")
    func names() throws {
        let object = try #require(
            try JSONSerialization.jsonObject(with: Self.report().encoded()) as? [String: Any])
        #expect(object.keys.sorted() == ["at", "command", "machine", "mode", "runs", "version", "warnings"])
        let run = try #require((object["runs"] as? [[String: Any]])?.first)
        #expect(run.keys.sorted() == ["bare", "figures", "histogram_ns", "label", "per_second", "shape"])
        let figures = try #require(run["figures"] as? [String: Any])
        #expect(
            figures.keys.sorted() == [
                "bytes", "done", "errors", "generator_busy", "generator_cpu_s", "intended_rate", "late", "latency_us",
                "lost", "reorders", "repeats", "seconds", "sent", "services_cpu_s", "services_memory_bytes", "skipped",
            ])
        let latency = try #require(figures["latency_us"] as? [String: Any])
        #expect(latency.keys.sorted() == ["max", "mean", "min", "p50", "p90", "p99", "p99.9", "p99.99"])
        #expect(figures["errors"] as? [String: Int] == ["busy": 1])
    }

    @Test("what is no report says why")
    func refused() {
        for (text, error) in [
            ("", LoadReport.notAReport), ("{}", LoadReport.notAReport), ("{\"version\":1}", LoadReport.notAReport),
            ("{\"version\":2}", LoadReport.ofVersion(2)),
        ] {
            #expect(throws: error) { try LoadReport(Data(text.utf8)) }
        }
    }

    @Test("repeated runs: the worst of what is counted, the median of what is measured")
    func repeated() throws {
        let figures = Self.report().runs[0].figures
        let runs = [10.0, 30, 20].map { p99 in
            var figures = figures
            figures.latency.p99 = p99
            figures.lost = p99 == 30 ? 1 : 0
            return figures
        }
        #expect(try LoadAssertion("p99<25us").judge(runs) == .holds(value: 20))
        #expect(try LoadAssertion("loss=0").judge(runs) == .broken(value: 1))
        #expect(try LoadAssertion("bare>=0.5").judge(runs) == .unknown)
        #expect(try LoadAssertion("p99<5ms").complaint(7_200) == "p99<5ms is broken: p99 was 7.20 ms, 44.0 % over.")
        #expect(try LoadAssertion("rate>=0.95").complaint(0.9).hasSuffix("rate was 90.0 %, 5.26 % under."))
        #expect(try LoadAssertion("loss=0").complaint(3) == "loss=0 is broken: loss was 3.00.")
    }

    @Test("what is no longer measured is a complaint, and so is a test that was not the same")
    func gaps() {
        func report(_ labels: [String], _ parameters: [String: String]?) -> LoadReport {
            var report = Self.report()
            report.runs = labels.flatMap { label in
                (0..<5).map { _ in
                    var run = report.runs[0]
                    run.label = label
                    return run
                }
            }
            report.parameters = parameters
            return report
        }
        let before = report(["64 B", "1 KiB"], ["limit": "20", "landmarks": "5"])
        let same = ReportComparison(earlier: before, later: before, metrics: [.p50])
        #expect(same.complaints(0.1).isEmpty && same.warnings.isEmpty && same.figures.count == 2)
        let after = report(["64 B", "4 KiB"], ["limit": "100", "landmarks": "5"])
        let other = ReportComparison(earlier: before, later: after, metrics: [.p50])
        #expect(
            other.complaints(0.1) == [
                "1 KiB: only the earlier report has it.", "4 KiB: only the later report has it.",
            ])
        #expect(other.figures.count == 1 && other.warnings.count == 1 && other.warnings[0].contains("limit was 20 "))
        #expect(ReportComparison(earlier: before, later: report(["64 B", "1 KiB"], nil), metrics: []).warnings.isEmpty)
        // It has come down to where nothing is done any more.
        var dead = before
        for place in dead.runs.indices { dead.runs[place].figures.done = 0 }
        let down = ReportComparison(earlier: before, later: dead, metrics: [.p50]).complaints(0.1)
        #expect(down.count == 2 && down.allSatisfy { $0.contains("later report have p50") })
    }

    @Test("a report that somebody forged is compared without harm")
    func forged() throws {
        var one = Self.report()
        one.runs[0].figures.latency.p50 = 1e300
        one.runs = Array(repeating: one.runs[0], count: 500)
        var other = Self.report()
        other.runs[0].figures.latency.p50 = 1e-300
        other.runs = Array(repeating: other.runs[0], count: 500)
        let comparison = ReportComparison(earlier: other, later: one, metrics: LoadMetric.allCases)
        #expect(comparison.figures.contains { $0.metric == .p50 && $0.runs == (30, 30) })
        for figure in comparison.figures { _ = LoadQuantity.text(figure.later, figure.metric.unit) }
        _ = comparison.complaints(0.1)
        #expect(!LoadQuantity.text(1e300, .perSecond).isEmpty)
    }

    @Test("a late message is no lost one, and what came is known by its number")
    func numbers() {
        var ledger = SequenceLedger()
        for number in [1, 2, 5, 9, 6] as [UInt64] { ledger.receive(number) }
        #expect((0...10).filter { ledger.has($0) } == [1, 2, 5, 6, 9])
    }
}
