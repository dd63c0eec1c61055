// SPDX-License-Identifier: Apache-2.0

import LoadTest
import TestTurns
import Testing

@testable import waymark_measure

@Suite("A line of the table", .inShortTurn)
struct TableLineTests {
    private func rounds(_ pairs: (Double, Double)...) -> Rounds {
        var rounds = Rounds()
        for (measured, rival) in pairs { rounds.add(measured, beside: rival) }
        return rounds
    }

    @Test("The ratio is the median of the rounds' ratios, not the ratio of the medians")
    func ratio() throws {
        // Medians: 100 and 100; ratios: 1/2, 3/2, 2.
        let line = TableLine(
            .near, "x", .perSecond, rounds((50, 100), (100, 50), (300, 200)), beside: "bare",
            goal: .ratio(.atLeast, 1.5))
        #expect(line.measured?.median == 100)
        #expect(line.rival?.figures.median == 100)
        #expect(line.ratio == Spread([0.5, 1.5, 2]))
        #expect(line.ratio?.median == 1.5)
        #expect(line.isReached == true)
    }

    @Test("A goal is judged by the median, on its own side and by its own figure")
    func goals() throws {
        let spread = try #require(Spread([1, 2, 9]))
        #expect(Goal.ratio(.atLeast, 2).isReached(by: spread))
        #expect(!Goal.ratio(.atLeast, 2.1).isReached(by: spread))
        #expect(Goal.ratio(.atMost, 2).isReached(by: spread))
        #expect(!Goal.ratio(.atMost, 1.9).isReached(by: spread))
        let line = TableLine(.million, "x", .seconds, spread, goal: .measured(.atMost, 1))
        #expect(line.isReached == false)
        #expect(TableLine(.million, "x", .seconds, spread).isReached == nil)
    }

    @Test("A rival without a figure gives no ratio and no verdict")
    func empty() {
        let line = TableLine(.redis, "x", .perSecond, rounds((50, 0)), beside: "Redis", goal: .ratio(.atLeast, 2))
        #expect(line.ratio == nil)
        #expect(line.isReached == nil)
    }

    @Test("Beside a rival that was not measured there is the own figure, and neither ratio nor verdict")
    func notMeasured() {
        let line = TableLine(
            .rivals, "x", .perSecond, [90, 110, 100], notMeasured: "Redis", because: "there is none on this machine")
        #expect(line.measured?.median == 100 && line.rival == nil)
        #expect(line.ratio == nil && line.isReached == nil)
        #expect(line.remarks == ["Redis: not measured (there is none on this machine)."])
    }

    @Test("How far the search is behind counts from when a revision was first seen")
    func lag() {
        var lag = SearchLag()
        lag.told(head: 10, search: 10, at: 0)
        #expect(lag.greatest == 0)
        lag.told(head: 20, search: 10, at: 1_000_000_000)
        lag.told(head: 30, search: 15, at: 1_200_000_000)
        lag.told(head: 30, search: 20, at: 1_500_000_000)
        #expect(lag.greatest == 0.5)
        // 30 was first seen at 1.2 s.
        lag.told(head: 30, search: 30, at: 1_900_000_000)
        #expect(abs(lag.greatest - 0.7) < 1e-9)
        lag.told(head: 40, search: 40, at: 9_000_000_000)
        #expect(abs(lag.greatest - 0.7) < 1e-9)
    }
}
