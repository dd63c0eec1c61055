// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import LoadTest

@Suite("Limits that end a run early", .inShortTurn)
struct AbortRuleTests {
    /// A second with so many operations, each of so many milliseconds, and so many failures.
    private typealias Second = (Int, UInt64, Int)

    /// - Returns: the second at whose end a rule came true, and its sentence.
    private func judge(
        _ rule: String, over seconds: Int, _ counted: [Second]
    ) throws -> (second: Int, reason: String)? {
        var watch = LoadWatch()
        watch.abort = AbortRule(try LoadAssertion.list(rule), seconds: seconds)
        var tally = Tally(from: 0, watch: watch)
        for (place, (done, milliseconds, failed)) in counted.enumerated() {
            let now = UInt64(place) * 1_000_000_000 + 1
            for _ in 0..<done { tally.record(milliseconds * 1_000_000, bytes: 1, at: now) }
            for _ in 0..<failed { tally.failed("busy", at: now) }
            tally.turn(to: now + 999_999_999)
            if watch.stop.isAsked { return (place + 1, watch.stop.reason ?? "") }
        }
        return nil
    }

    @Test("a share of errors over the window")
    func errors() throws {
        let once = [(50, 1, 50), (100, 1, 0), (100, 1, 0), (100, 1, 0)] as [Second]
        // 50 of 300, when the window is full.
        let found = try judge("p99>1s,errors>10%", over: 3, once)
        #expect(found?.second == 3)
        #expect(found?.reason == "errors>10% came true in second 3: errors was 16.7 % over the last 3 s.")
        #expect(try judge("errors>17%", over: 3, once) == nil)
        #expect(try judge("errors>49", over: 3, once)?.second == 3)
        // They have left the window when others come.
        let again = [(50, 1, 30), (100, 1, 0), (100, 1, 0), (100, 1, 30)] as [Second]
        #expect(try judge("errors>=31", over: 2, again) == nil)
        #expect(try judge("errors>=60", over: 4, again)?.second == 4)
        #expect(try judge("errors>99%", over: 2, [(0, 1, 5), (0, 1, 5)])?.second == 2)
    }

    @Test("a percentile is of the whole window, not of a second of it")
    func latency() throws {
        let slow = [(1_000, 1, 0), (1_000, 1, 0), (5, 900, 0), (1_000, 1, 0)] as [Second]
        #expect(try judge("p99>500ms", over: 3, slow) == nil)
        #expect(try judge("p99>500ms", over: 1, slow)?.second == 3)
        #expect(try judge("max>500ms", over: 3, slow)?.second == 3)
    }

    @Test("a second in which nothing was done has no latency, but a throughput")
    func nothing() throws {
        let none = [(5, 1, 0), (0, 0, 0), (0, 0, 0)] as [Second]
        #expect(try judge("p99<1s", over: 2, Array(none.dropFirst())) == nil)
        #expect(try judge("throughput<2", over: 2, none)?.second == 3)
    }

    @Test("the figures that are known while a test runs")
    func known() throws {
        for text in ["p50<1ms", "max>1s", "throughput<5", "errors>1%", "errors>1"] {
            let isKnown = AbortRule.knows(try LoadAssertion(text))
            #expect(isKnown, "\(text)")
        }
        for text in ["rate<1", "bare<1", "loss>1", "late>1%", "p99[1]>1s"] {
            let isKnown = AbortRule.knows(try LoadAssertion(text))
            #expect(!isKnown, "\(text)")
        }
    }

    @Test("a run ends when its rule comes true, long before its end")
    func ends() async throws {
        var watch = LoadWatch()
        watch.abort = AbortRule(try LoadAssertion.list("errors>30%"), seconds: 1)
        let result = try await LoadThread.run { [watch] in
            let port = InstantPort { $0 % 2 == 0 }
            return try RequestGenerator(watch: watch, timeout: 20_000_000).run(
                [port],
                LoadShape(loop: .open(.rate(200), arrival: .constant), end: .duration(seconds: 3_600), warmUp: 0))
        }
        #expect(result.figures.seconds < 600 && result.figures.failures > 50)
        #expect(watch.stop.reason?.contains("came true in second") == true)
    }
}
