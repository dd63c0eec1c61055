// SPDX-License-Identifier: Apache-2.0

import LoadTest
import TestTurns
import Testing

@testable import waymark_measure

@Suite("Processors", .inShortTurn)
struct ProcessorTests {
    @Test(
        "The maker is in the machine's own description",
        arguments: [
            ("processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel name\t: GenuineIntel\n", ProcessorMaker.amd),
            ("processor\t: 0\nvendor_id\t: GenuineIntel\n", .intel), ("CPU implementer\t: 0x41\n", .other),
            ("vendor_id\n", .other), ("", .other),
        ])
    func maker(information: String, expected: ProcessorMaker) {
        #expect(ProcessorMaker(information: information) == expected)
    }

    @Test("Each maker has its goal, and one without a goal gets no verdict")
    func goals() throws {
        var time = ProcessorTime()
        // 3 and 7 microseconds for each of a thousand.
        time.add(figures(done: 1_000), [0.003, 0.007])
        #expect(time.line(.near, "x", on: .amd).isReached == false)
        #expect(time.line(.near, "x", on: .intel).isReached == true)
        #expect(time.line(.near, "x", on: .other).isReached == nil)
        #expect(time.line(.near, "x", on: .amd).goal == .measured(.atMost, 8))
        let remark = try #require(time.remark)
        #expect(remark == "The query service 7.00 µs, storage 3.00 µs, the generator 5.00 µs.")
    }

    private func figures(done: UInt64) -> LoadFigures {
        var figures = LoadFigures(seconds: 1, sent: done, done: done, bytes: 0, latency: Latencies())
        figures.generatorCPU = 0.005
        return figures
    }
}
