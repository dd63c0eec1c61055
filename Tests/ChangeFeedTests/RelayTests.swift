// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Landmarks
import TestTurns
import Testing

@Suite("What a relay has its publisher do", .inShortTurn)
struct RelayTests {
    private static let epoch = UUIDv7(high: 1, low: 1)
    private static func run(_ number: UInt64) -> UUIDv7 { UUIDv7(high: 2, low: number) }

    private static func begun() -> Relay {
        var relay = Relay(firstNumber: { 1_000 })
        #expect(relay.isSilent)
        let steps = relay.began(at: Position(epoch: epoch, rev: 10, run: run(1)), run: run(1), floor: 3)
        #expect(steps == [.begin(FeedNumbering(epoch: epoch, run: run(1), head: 10, floor: 3, count: 1_000))])
        #expect(!relay.isSilent && relay.stretches == 1)
        return relay
    }

    @Test("changes of a stretch are published one after the other; a new run of storage comes before its first change")
    func publishes() {
        var relay = Self.begun()
        let steps = [
            relay.took(11, in: Self.run(1), floor: 3, bytes: [1]),
            relay.took(12, in: Self.run(2), floor: 3, bytes: [1]),
            relay.reached(in: Self.run(3), floor: 3), relay.reached(in: Self.run(3), floor: 3),
            // A storage that does not say its run.
            relay.took(13, in: nil, floor: 3, bytes: [1]),
            // Known already.
            relay.took(13, in: Self.run(3), floor: 3, bytes: [1]),
        ]
        #expect(
            steps == [
                [.publish], [.resume(in: Self.run(2)), .publish], [.resume(in: Self.run(3))], [], [.publish], [],
            ])
        #expect(relay.log?.head == 13 && relay.stretches == 1)
    }

    @Test("a hole, or runs in another order, begin another stretch, and nothing from before is answered")
    func holes() {
        var relay = Self.begun()
        _ = relay.took(11, in: Self.run(1), floor: 3, bytes: [1])
        let steps = relay.took(14, in: Self.run(1), floor: 5, bytes: [1])
        let numbering = FeedNumbering(epoch: Self.epoch, run: Self.run(1), head: 13, floor: 5, count: 1_000)
        #expect(steps == [.begin(numbering), .publish])
        #expect(relay.log?.start == 13 && relay.log?.head == 14 && relay.stretches == 2)
        _ = relay.reached(in: Self.run(2), floor: 5)
        guard case .begin(let again)? = relay.reached(in: Self.run(1), floor: 5).first else {
            Issue.record("no new stretch")
            return
        }
        #expect(again.run == Self.run(1) && again.head == 14 && relay.stretches == 3)
    }

    @Test("no beacons while nothing arrives from storage or nothing is followed; nothing is published then")
    func silence() {
        var relay = Self.begun()
        relay.lost()
        #expect(relay.isSilent)
        let whenLost = relay.took(11, in: Self.run(1), floor: 3, bytes: [1])
        #expect(whenLost == [.publish])
        #expect(relay.isSilent)
        relay.resumed()
        #expect(!relay.isSilent)
        relay.lost()
        relay.ended()
        let afterTheEnd =
            relay.took(12, in: Self.run(1), floor: 3, bytes: [1]) + relay.reached(in: Self.run(2), floor: 3)
        #expect(relay.isSilent && afterTheEnd.isEmpty)
        _ = relay.began(at: Position(epoch: Self.epoch, rev: 20), run: Self.run(2), floor: 3)
        #expect(!relay.isSilent)
    }

    @Test("what was read for an earlier stretch is not added to a later one")
    func lateFill() {
        var relay = Self.begun()
        _ = relay.began(at: Position(epoch: Self.epoch, rev: 10), run: Self.run(1), floor: 3)
        relay.filled([[9], [10]], through: 10, run: Self.run(1), stretch: 1)
        #expect(relay.log?.count == 0)
        relay.filled([[9], [10]], through: 10, run: Self.run(1), stretch: 2)
        #expect(relay.log?.count == 2)
    }

    @Test("numbers of a relay's own are far from storage's, and from each other")
    func numbers() {
        let numbers = Set((0..<1_000).map { _ in FeedNumbering.ofOwn() })
        #expect(numbers.count == 1_000)
        #expect(numbers.allSatisfy { (1 << 40..<1 << 62).contains($0) })
    }

    @Test("revisions that were not published leave a hole in the numbers of every feed")
    func numbering() {
        var numbering = FeedNumbering(epoch: Self.epoch, run: Self.run(1), head: 10, floor: 1, count: 100)
        let skipped = [11, 15].map { numbering.change($0) }
        #expect(skipped == [0, 3])
        #expect(numbering.count == 105 && numbering.head == 15)
        #expect(numbering.beacon(n: 7).n == 7 && numbering.beacon(n: 7).rev == 15)
    }
}
