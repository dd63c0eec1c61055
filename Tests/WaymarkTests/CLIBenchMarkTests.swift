// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing
import ZeroMQ

@testable import WaymarkCLI

@Suite("The mark of what a load test writes", .inShortTurn)
struct CLIBenchMarkTests {
    @Test("the name finds its run again, and other words are refused")
    func name() throws {
        let mark = BenchMark()
        #expect(mark.name == "bench-\(mark.run)" && mark.removal == "waymark bench clean \(mark.run)")
        #expect(try BenchMark(mark.name) == mark && BenchMark(mark.run) == mark)
        for text in ["", "bench-", "k3x9q", "k3x9q22", "K3X9Q2", "airports", "bench-airports"] {
            #expect(throws: BadValue.self, "\(text)") { try BenchMark(text) }
        }
    }

    @Test("the question names the endpoint and the removal; without an answer nothing is done")
    func question() async throws {
        let asked = Locked("")
        let err = MemorySink()
        var surroundings = Surroundings(environment: [:], out: MemorySink(), err: err)
        surroundings.ask = { question in
            asked.withLock { $0 = question }
            return "n"
        }
        let words = ["bench", "write", "--connect", "tcp://[::1]:1", "--as", "ann b"]
        #expect(await WaymarkTool.run(words, in: surroundings) == 1)
        #expect(err.text.contains("Nothing was done."))
        let question = asked.withLock { $0 }
        #expect(question.contains("the collection at tcp://[::1]:1,"))
        #expect(question.contains(" --connect 'tcp://[::1]:1' --as 'ann b'\""), "\(question)")
    }
}
