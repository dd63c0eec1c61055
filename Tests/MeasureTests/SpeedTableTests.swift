// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoadTest
import TestTurns
import Testing

@testable import waymark_measure

@Suite("The table", .inShortTurn)
struct SpeedTableTests {
    private func table(_ lines: [TableLine], isSmokeTest: Bool = false) -> SpeedTable {
        var machine = MachineInfo.here(versions: ["libzmq": "4.3.4"])
        (machine.cpu, machine.cores, machine.memory, machine.kernel) = ("Some CPU", 2, 24 << 30, "6.1")
        return SpeedTable(
            at: "2026-11-21T13:00:00Z", command: "waymark-measure table", machine: machine, rounds: 3,
            landmarks: 1_000_000, isSmokeTest: isSmokeTest, seconds: 12, lines: lines)
    }

    private var near: TableLine {
        var rounds = Rounds()
        for (measured, rival) in [(90_000.0, 150_000.0), (80_000, 160_000), (99_000, 110_000)] {
            rounds.add(measured, beside: rival)
        }
        return TableLine(
            .near, "near | window 128", .perSecond, rounds, beside: "bare bus", goal: .ratio(.atLeast, 0.6)
        ).remarking(["One.", nil, "Two\n."])
    }

    @Test("A line says what was measured, beside what, the ratio with its spread, and the verdict")
    func line() throws {
        let text = table([near]).markdown()
        #expect(
            text.contains(
                "| near | near \\| window 128 | 90,000/s | bare bus: 150,000/s | 0.600 (0.500–0.900) | ≥ 0.600 × | yes "
                    + "| One. Two . |\n"))
        #expect(text.contains("Some CPU, 2 cores, 24 GiB, Linux 6.1"))
        #expect(text.contains("`waymark-measure table`, with 1,000,000 landmarks"))
        #expect(text.contains("libzmq 4.3.4"))
        #expect(!text.contains("smoke"))
    }

    @Test("What was not reached, and what was not measured, says so")
    func verdicts() {
        let text = table(
            [
                TableLine(.million, "start", .seconds, Spread(5), goal: .measured(.atMost, 4)),
                TableLine(.redis, missing: "There is no redis-server on this machine."),
                TableLine(.rivals, "writes", .perSecond, [100_000], notMeasured: "Redis", because: "there is none"),
            ], isSmokeTest: true
        ).markdown()
        #expect(text.contains("| million | start | 5.00 s | – | – | ≤ 4.00 s | **no** |"))
        #expect(text.contains("not measured | There is no redis-server on this machine. |"))
        #expect(text.contains("| rivals | writes | 100,000/s | – | – | – | – | Redis: not measured (there is none). |"))
        #expect(text.hasPrefix("**A smoke test"))
    }

    @Test("For a terminal nothing is left out, and no line has more than 80 columns")
    func text() {
        let words = String(repeating: "so many words that they do not fit ", count: 5)
        let text = table([
            near.remarking([words]),
            TableLine(.million, "start \(words)", .seconds, Spread(5), goal: .measured(.atMost, 4)),
            TableLine(.redis, missing: "There is no redis-server on this machine."),
        ]).text()
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(
            text.contains(
                "near\n  near | window 128\n    90,000/s  bare bus: 150,000/s  0.600 (0.500–0.900)  ≥ 0.600 ×  reached\n"
            ))
        #expect(text.contains("    5.00 s  ≤ 4.00 s  NOT REACHED\n"))
        #expect(text.contains("    not measured\n    There is no redis-server on this machine.\n"))
        #expect(text.split(whereSeparator: \.isWhitespace).count { $0 == "fit" } == 10)
    }

    @Test("As JSON it can be read again")
    func json() throws {
        let text = try table([near]).json()
        let again = try JSONDecoder().decode(SpeedTable.self, from: Data(text.utf8))
        #expect(again.lines.first?.ratio?.median == near.ratio?.median)
        #expect(again.lines.first?.isReached == true)
        #expect(again.isSmokeTest == false)
        #expect(text.hasSuffix("}\n"))
    }

    @Test(
        "Figures have three digits that count",
        arguments: [
            (0.0, "0"), (0.0123, "0.0123"), (0.6, "0.600"), (1.5, "1.50"), (84.14, "84.1"), (999.6, "1,000"),
            (1_234, "1,230"),
            (149_800, "150,000"), (2_400_000, "2,400,000"), (-12_345, "-12,300"), (.infinity, "none"),
        ])
    func figures(value: Double, text: String) {
        #expect(FigureUnit.number(value) == text)
    }
}
