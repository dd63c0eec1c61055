// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoadTest
import TestTurns
import Testing

@testable import WaymarkCLI

@Suite("The judgement of a load test", .inShortTurn)
struct CLIBenchJudgeTests {
    private func run(done: UInt64, errors: [String: UInt64] = [:]) -> LoadReport.Run {
        var tally = Tally(from: 0)
        for _ in 0..<done { tally.record(1_000, bytes: 1, at: 1) }
        var result = LoadResult(tally, seconds: 1)
        result.figures.errors = errors
        return LoadReport.Run(label: "near", shape: LoadShape(loop: .closed(window: 1)), result: result)
    }

    @Test("nothing done is a failure, with and without assertions")
    func nothingDone() throws {
        let idle = run(done: 0, errors: ["timed_out": 3])
        #expect(BenchJudge.complaints([idle], []) == ["near: nothing was done: timed_out 3."])
        let kept = try LoadAssertion.list("errors>=3,late=0")
        let complaints = BenchJudge.complaints([run(done: 5), idle], kept)
        #expect(complaints.contains("near: errors>=3 is broken: nothing was done."))
        #expect(complaints.contains("near: late=0 is broken: nothing was done.") && complaints.count == 3)
        #expect(BenchJudge.complaints([run(done: 5)], try LoadAssertion.list("errors=0,late=0")).isEmpty)
    }

    @Test("an assertion about a part is judged by that part's figures")
    func part() throws {
        let whole = run(done: 5)
        var tally = Tally(from: 0)
        tally.record(9_000_000, bytes: 1, at: 1)
        let part = LoadResult(tally, seconds: 1, name: "[2] 1 s", number: 2)
        let runs = [whole, LoadReport.Run(partOf: "near", shape: whole.shape, result: part)]
        #expect(runs.labels == ["near"])
        #expect(BenchJudge.complaints(runs, try LoadAssertion.list("p99<5ms,p99[2]>5ms")).isEmpty)
        let broken = BenchJudge.complaints(runs, try LoadAssertion.list("p99[2]<5ms,p99[1]<5ms"))
        #expect(broken.count == 2 && broken[0].hasPrefix("near: p99[2]<5ms is broken: p99 was 9"))
    }

    @Test("reports of which one has done nothing are not equal")
    func compared() throws {
        func report(_ runs: [LoadReport.Run]) -> LoadReport {
            LoadReport(mode: "near", at: Date(), command: "", machine: .here(versions: [:]), runs: runs)
        }
        let (idle, busy) = (report([run(done: 0)]), report([run(done: 5)]))
        for metric in [LoadMetric.throughput, .p99] {
            let worse = ReportComparison(earlier: busy, later: idle, metrics: [metric])
            #expect(worse.figures.isEmpty && worse.complaints(1).count == 1, "\(worse.gaps)")
            let both = ReportComparison(earlier: idle, later: idle, metrics: [metric])
            #expect(both.figures.isEmpty && both.complaints(1).count == 1, "\(both.gaps)")
        }
    }
}
