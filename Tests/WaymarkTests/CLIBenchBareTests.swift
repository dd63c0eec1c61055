// SPDX-License-Identifier: Apache-2.0

import LoadTest
import TestTurns
import Testing

@testable import WaymarkCLI

@Suite("The bare bus beside a test", .inShortTurn)
struct CLIBenchBareTests {
    private func result(done: UInt64, bytes: Int) -> LoadResult {
        var tally = Tally(from: 0)
        for _ in 0..<done { tally.record(1_000, bytes: bytes, at: 1) }
        return LoadResult(tally, seconds: 2)
    }

    @Test("requests and answers have the measured sizes")
    func sizes() {
        var ingest = result(done: 10, bytes: 40)
        ingest.requestBytes = 31_000
        let bare = BareAnswers.test(beside: ingest)
        #expect(bare.message == BusMessage(.fixed(31_000)) && bare.answerBytes == 40)
        #expect(BareAnswers.test(beside: result(done: 0, bytes: 0)).message == BusMessage(.fixed(16)))
    }

    @Test("beside a feed it has the acknowledged rate, for any loop")
    func rate() {
        var tail = result(done: 100, bytes: 200)
        tail.parts = [result(done: 50, bytes: 90)]
        let closed = TailBench.bareShape(LoadShape(loop: .closed(window: 4), end: .count(9)), beside: tail)
        #expect(closed.loop == .open(.rate(25), arrival: .constant) && closed.end == .count(9))
        let open = TailBench.bareShape(LoadShape(loop: .open(.rate(90), arrival: .poisson)), beside: tail)
        #expect(open.loop == .open(.rate(25), arrival: .poisson))
    }
}
