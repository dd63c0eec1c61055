// SPDX-License-Identifier: Apache-2.0

import LoadTest
import TestTurns
import Testing

@Suite("What a run must come to", .inShortTurn)
struct LoadAssertionTests {
    private static let run: LoadFigures = {
        var latencies = Latencies()
        for millisecond in 1...1_000 { latencies.record(UInt64(millisecond) * 10_000) }
        var run = LoadFigures(seconds: 2, sent: 1_900, done: 1_900, bytes: 0, latency: latencies)
        run.intendedRate = 1_000
        (run.lost, run.repeats) = (3, 0)
        run.errors = ["busy": 2, "not_yet": 1]
        return run
    }()

    @Test(
        "holds",
        arguments: [
            "p50<=5.1ms", "p99<10ms", "p99.9 > 9ms", "loss=3", "errors<4", "rate>=0.95", "rate>=95%",
            "throughput<1k", "repeats=0", "errors<1%", "loss<=1%", "late=0%",
        ])
    func holds(text: String) throws {
        guard case .holds = try LoadAssertion(text).judge([Self.run]) else {
            Issue.record("\(text): \(try LoadAssertion(text).judge([Self.run]))")
            return
        }
    }

    @Test("is broken", arguments: ["p50<5ms", "loss=0", "rate>0.95", "throughput>=1k", "max<1ms", "errors<0.1%"])
    func broken(text: String) throws {
        guard case .broken = try LoadAssertion(text).judge([Self.run]) else {
            Issue.record("\(text): \(try LoadAssertion(text).judge([Self.run]))")
            return
        }
    }

    @Test("is unknown where there is no such figure")
    func unknown() throws {
        #expect(try LoadAssertion("bare>0.5").judge([Self.run]) == .unknown)
    }

    @Test("nothing done breaks every assertion, also the one that nothing failed")
    func nothingDone() throws {
        let idle = LoadFigures(seconds: 1, sent: 5, done: 0, bytes: 0, latency: Latencies())
        for text in [
            "p50<5ms", "p99.99<5ms", "max<1s", "mean<1s", "loss=0", "repeats=0", "reorders<1", "errors=0", "late=0",
            "skipped=0", "throughput>=0", "throughput>=1", "rate>=0",
        ] {
            let assertion = try LoadAssertion(text)
            #expect(assertion.judge([idle]) == .unknown && assertion.judge([Self.run, idle]) == .unknown, "\(text)")
            #expect(assertion.unknown.contains(" is broken: "))
        }
    }

    @Test("of a part of a profile, and of a share of those sent")
    func part() throws {
        let assertion = try LoadAssertion("p99[2] < 5ms")
        #expect(assertion.part == 2 && assertion.metric == .p99 && assertion.description == "p99[2]<5ms")
        let share = try LoadAssertion("errors<0.1%")
        #expect(share.judge([Self.run]) == .broken(value: 3.0 / 1_900))
        #expect(share.complaint(0.002) == "errors<0.1% is broken: errors was 0.20 %, 100 % over.")
    }

    @Test("several, with commas between")
    func list() throws {
        #expect(try LoadAssertion.list("p99<5ms,loss=0,rate>=0.95").count == 3)
    }

    @Test(
        "what cannot be read is told, with what can",
        arguments: [
            "", "p99", "p98<1ms", "p99<5", "p99<5m", "p99<-1ms", "loss=x", "rate>=", "p99<nan", "loss<infs", "p99<5ms,",
            "p99[0]<5ms", "p99[65]<5ms", "p99[]<5ms", "p99[x]<5ms", "p99[2<5ms", "p99[9999999999999999999]<5ms",
            "p99<5%",
        ])
    func wrong(text: String) {
        #expect(throws: LoadInputError.self) { try LoadAssertion.list(text) }
    }
}
