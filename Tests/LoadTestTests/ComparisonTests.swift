// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestTurns
import Testing

@testable import LoadTest

@Suite("Whether something changed", .inShortTurn)
struct ComparisonTests {
    @Test("the distribution of U is the one of the tables")
    func tails() {
        // Mann and Whitney (1947), table I: P(U <= u) for n = 3, m = 3 and n = 4, m = 4.
        let three = Comparison.tails(3, 3)
        #expect(three.count == 10)
        for (value, expected) in zip(three, [0.05, 0.1, 0.2, 0.35, 0.5, 0.65]) { #expect(abs(value - expected) < 1e-9) }
        let four = Comparison.tails(4, 4)
        for (value, expected) in zip(four, [0.014, 0.029, 0.057, 0.1]) { #expect(abs(value - expected) < 0.0005) }
        #expect(abs((Comparison.tails(5, 7).last ?? 0) - 1) < 1e-12)
    }

    @Test("too few runs are said to be too few")
    func tooFew() throws {
        let comparison = try #require(Comparison(earlier: [1, 2, 3], later: [10, 20, 30]))
        #expect(comparison.interval == nil && comparison.verdict(isBetterHigher: true) == .tooFew)
        #expect(comparison.regress(isBetterHigher: false) == 0)
    }

    @Test("a fifth slower is found among noise, and noise is not taken for a change")
    func finds() throws {
        var random = SeededGenerator(seed: 11)
        func runs(_ mean: Double, _ count: Int) -> [Double] {
            (0..<count).map { _ in mean * (1 + 0.04 * random.normal()) }
        }
        var (found, falsely) = (0, 0)
        for _ in 0..<400 {
            let slower = try #require(Comparison(earlier: runs(100, 7), later: runs(80, 7)))
            if slower.verdict(isBetterHigher: true) == .worse, slower.regress(isBetterHigher: true) > 0.1 { found += 1 }
            let same = try #require(Comparison(earlier: runs(100, 7), later: runs(100, 7)))
            if same.verdict(isBetterHigher: true) != .same { falsely += 1 }
        }
        #expect(found > 395)
        // At most one in twenty, and this many tries may have a few more.
        #expect(falsely < 32)
    }

    @Test("the interval holds the truth as often as it says")
    func covers() throws {
        var random = SeededGenerator(seed: 3)
        var covered = 0
        for _ in 0..<1_000 {
            // Far from normal: a long tail.
            let earlier = (0..<6).map { _ in -100 * log(1 - random.unit()) + 50 }
            let later = (0..<6).map { _ in 1.3 * (-100 * log(1 - random.unit()) + 50) }
            let comparison = try #require(Comparison(earlier: earlier, later: later))
            if comparison.interval?.contains(1.3) == true { covered += 1 }
        }
        #expect(covered > 935)
    }
}
