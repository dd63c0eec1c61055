// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol

@testable import WaymarkClient

/// Builds the feed items that the tests use.
enum Items {
    static let epoch = UUIDv7(high: 1, low: 1)

    static func at(_ rev: UInt64) -> Position { Position(epoch: epoch, rev: rev, run: nil) }

    static func mark(_ rev: UInt64) -> FeedQueue.Item { .success(.reached(at(rev))) }

    static func change(_ rev: UInt64, name: String = "x") throws -> FeedQueue.Item {
        let wire = WireChange.with {
            $0.rev = rev
            $0.operation = .added
            $0.landmark = .with {
                $0.id = UUIDv7(high: 3, low: rev).wire
                ($0.name, $0.lat, $0.lng) = (name, 1, 2)
                ($0.version, $0.rev) = (1, rev)
            }
        }
        return .success(.change(FeedChange(try Change(encoded: wire.encoded), as: .added, at: at(rev))))
    }

    static func rev(_ item: FeedQueue.Item) -> UInt64? {
        switch item {
        case .success(.change(let told)): told.position.rev
        case .success(.reached(let position)): position.rev
        default: nil
        }
    }
}

@Suite("The queue of a feed's items", .inShortTurn)
struct FeedQueueTests {
    @Test("of several marks in a row only the last one is kept and counted")
    func marks() throws {
        var queue = FeedQueue(FeedBounds(most: 8, few: 2, bytes: 2_000))
        var holds = 0
        for rev in 1...10_000 as ClosedRange<UInt64> where queue.put(Items.mark(rev)) { holds += 1 }
        #expect(queue.count == 1 && queue.bytes == 100 && holds == 0)
        #expect(queue.take().flatMap { Items.rev($0.item) } == 10_000)
        #expect(queue.count == 0 && queue.bytes == 0)
    }

    @Test("it holds at either bound, and resumes below both")
    func bounds() throws {
        var queue = FeedQueue(FeedBounds(most: 4, few: 2, bytes: 1_000_000))
        var told = try (1...6).map { queue.put(try Items.change($0)) }
        #expect(told == [false, false, false, true, false, false])
        #expect((1...6).map { _ in queue.take()?.mayResume } == [false, false, false, false, true, false])
        #expect(queue.take() == nil && !queue.isHolding)
        // Two items exceed the limit of bytes; one item is less than half of it.
        queue = FeedQueue(FeedBounds(most: 100, few: 50, bytes: 1_500))
        told = [
            queue.put(try Items.change(1, name: String(repeating: "a", count: 600))), queue.put(try Items.change(2)),
        ]
        #expect(told == [false, true])
        #expect(queue.take()?.mayResume == true)
    }

    @Test("the sum of bytes always equals that of the items, and an empty queue does not hold")
    func sums() throws {
        var random = SplitMix64(seed: 5)
        for _ in 0..<200 {
            var queue = FeedQueue(FeedBounds(most: 6, few: 2, bytes: 3_000))
            var last: UInt64 = 0
            var isHeld = false
            for rev in 1...200 as ClosedRange<UInt64> {
                if random.next() % 3 == 0 {
                    guard let (item, mayResume) = queue.take() else {
                        #expect(queue.bytes == 0 && !isHeld)
                        continue
                    }
                    if mayResume { isHeld = false }
                    let rev = try #require(Items.rev(item))
                    #expect(rev > last)
                    last = rev
                } else {
                    let name = String(repeating: "n", count: Int(random.next() % 200) + 1)
                    let item = random.next() % 2 == 0 ? Items.mark(rev) : try Items.change(rev, name: name)
                    if queue.put(item) { isHeld = true }
                }
                #expect(queue.isHolding == isHeld)
            }
            while queue.take() != nil {}
            #expect(queue.bytes == 0 && queue.count == 0 && !queue.isHolding)
        }
    }
}
