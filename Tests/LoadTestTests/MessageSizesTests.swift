// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestTurns
import Testing

@testable import LoadTest

@Suite("The sizes of messages", .inShortTurn)
struct MessageSizesTests {
    private func draw(
        _ sizes: MessageSizes, seed: UInt64 = 1, count: UInt64 = 20_000, least: Int = 24
    ) -> [Int] {
        (1...count).map { sizes.size(of: $0, seed: seed, least: least) }
    }

    @Test("they stay within the bounds")
    func bounds() {
        let wide = draw(.lognormal(median: 16 << 20, factor: 100))
        #expect(wide.allSatisfy { (24...MessageSizes.greatest).contains($0) })
        #expect(wide.contains(MessageSizes.greatest) && wide.contains { $0 < 1 << 20 })
        let uniform = draw(.uniform(10...4_096))
        #expect(uniform.min() == 24 && (4_080...4_096).contains(uniform.max() ?? 0))
        let halves = Double(uniform.count { $0 < 2_053 }) / 20_000
        #expect(abs(halves - 0.5) < 0.02)
        #expect(draw(.fixed(8), count: 2) == [24, 24] && draw(.fixed(64), count: 2) == [64, 64])
        #expect(draw(.recorded([30, 40, 8]), count: 5) == [30, 40, 24, 30, 40])
    }

    @Test("the usual size of a long recording is known to each connection without another search")
    func usual() {
        let message = BusMessage(.recorded(Array(repeating: 9, count: 1_000_000) + [30]), frames: 2)
        let time = ContinuousClock().measure {
            // As many connections as there may be.
            for _ in 0..<4_096 where message.usualBytes != 60 { Issue.record("another size") }
        }
        #expect(time < .seconds(2))
    }

    @Test("the number and the seed alone decide")
    func deterministic() {
        for sizes in [MessageSizes.lognormal(median: 200, factor: 2), .uniform(64...4_096)] {
            let all = draw(sizes)
            #expect(all == draw(sizes) && all != draw(sizes, seed: 2))
            #expect(sizes.size(of: 777, seed: 1, least: 24) == all[776])
        }
    }

    @Test("median and spread are the given ones, and neighbours have nothing in common")
    func distribution() {
        let all = draw(.lognormal(median: 2_000, factor: 2))
        let sorted = all.sorted()
        #expect(abs(Double(sorted[10_000]) - 2_000) < 60)
        let middle = Double(all.count { (1_000...4_000).contains($0) }) / 20_000
        #expect(abs(middle - 0.683) < 0.015)
        let logs = all.map { log2(Double($0) / 2_000) }
        let together = zip(logs, logs.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 } / 20_000
        #expect(abs(together) < 0.04)
    }
}
