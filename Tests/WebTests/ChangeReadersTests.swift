// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestSupport
import TestTurns
import Testing
import WaymarkClient
import WebServer

@testable import Web

/// Who gets which changes, without sockets.
@Suite("Readers and their changes", .inShortTurn)
struct ChangeReadersTests {
    private static let epoch = UUIDv7(high: 1, low: 1)
    private static let run = UUIDv7(high: 2, low: 2)

    private static func position(_ rev: UInt64, run: UUIDv7 = run) -> Position {
        Position(epoch: epoch, rev: rev, run: run)
    }

    private static func entry(
        _ rev: UInt64, kind: String, at longitude: Double = 0, run: UUIDv7 = run
    ) throws -> RingEntry {
        let landmark = Landmark(
            id: UUIDv7(high: rev, low: 0), name: "L", coordinate: try Coordinate(latitude: 0, longitude: longitude),
            attributes: Attributes(kind: kind))
        let change = Change(rev: rev, at: 0, operation: .added, user: "", landmark: landmark, before: nil)
        return RingEntry(FeedChange(change, as: .added, at: position(rev, run: run)))
    }

    private static func readers(ring count: Int = 1_000) -> ChangeReaders {
        var readers = ChangeReaders(ring: ChangeRing(bytes: 1 << 30, count: count))
        readers.begin(at: position(0))
        return readers
    }

    @Test("every matching change arrives once, whatever the ring has dropped and however seldom a reader reads")
    func complete() throws {
        var random = SplitMix64(seed: 5)
        var readers = Self.readers(ring: 40)
        var entries: [RingEntry] = []
        let filters =
            [FeedFilter.everything, FeedFilter(operations: [.added]), FeedFilter(kinds: ["k1", "rare"])]
            + (try (0..<8).map {
                FeedFilter(
                    area: .box(
                        try AreaBox(south: -1, west: Double($0), north: 1, east: Double($0) + [1.0, 4, 16][$0 % 3])))
            })
        var followed = filters.map {
            (filter: $0, number: readers.enter(from: nil, matching: $0), position: Self.position(0), seen: [UInt64]())
        }
        var logReads = 0
        for rev in 1...4_000 as ClosedRange<UInt64> {
            let kind = rev % 997 == 0 ? "rare" : "k\(random.next() % 30)"
            let entry = try Self.entry(rev, kind: kind, at: random.unit() * 40 - 2)
            entries.append(entry)
            readers.append(entry, epoch: Self.epoch)
            for place in followed.indices where random.next() % (rev % 500 < 250 ? 3 : 60) == 0 || rev == 4_000 {
                var one = followed[place]
                while true {
                    guard let page = readers.page(one.number, after: one.position, most: 16) else {
                        // What the log would tell.
                        logReads += 1
                        one.seen += entries[Int(one.position.rev)...].filter {
                            $0.operation(matching: one.filter) != nil
                        }.map(\.rev)
                        one.position = Self.position(rev)
                        continue
                    }
                    one.seen += page.entries.filter { $0.operation(matching: one.filter) != nil }.map(\.rev)
                    one.position = page.through
                    if page.isLast { break }
                }
                #expect(one.position.rev == rev)
                followed[place] = one
            }
        }
        for one in followed {
            #expect(one.seen == entries.filter { $0.operation(matching: one.filter) != nil }.map(\.rev))
        }
        #expect(logReads > 10)
    }

    @Test("a reader with few changes gets only those, and needs no log for what the ring has dropped")
    func onlyItsOwn() throws {
        var readers = Self.readers(ring: 10)
        let number = readers.enter(from: nil, matching: FeedFilter(kinds: ["rare"]))
        let first = readers.page(number, after: Self.position(0), most: 16)
        #expect(first?.isLast == true && first?.entries.isEmpty == true)
        for rev in 1...100 as ClosedRange<UInt64> {
            readers.append(try Self.entry(rev, kind: rev == 95 ? "rare" : "k"), epoch: Self.epoch)
        }
        let page = readers.page(number, after: Self.position(0), most: 16)
        #expect(page?.entries.map(\.rev) == [95])
        #expect(page?.through == Self.position(100) && page?.isLast == true)
    }

    @Test("a reader is woken by its own changes, by its turn and by a new history, and by nothing else")
    func wakes() async throws {
        var readers = Self.readers()
        let number = readers.enter(from: nil, matching: FeedFilter(kinds: ["rare"]))
        _ = readers.page(number, after: Self.position(0), most: 16)
        let (told, tell) = AsyncStream.makeStream(of: ChangeReaders.Waiter.self)
        let waiting = Task { await withCheckedContinuation { tell.yield($0) } }
        var waiters = told.makeAsyncIterator()
        let next = await waiters.next()
        let waiter = try #require(next)
        func wait(after rev: UInt64) -> Bool? { readers.wait(waiter, number, after: Self.position(rev)) }
        func due() -> Int { readers.takeDue().count }
        func inTurn() -> Int { (0..<ChangeReaders.turns).reduce(0) { $0 + readers.takeTurn($1).count } }
        var result = wait(after: 0)
        #expect(result == nil)
        readers.append(try Self.entry(1, kind: "k"), epoch: Self.epoch)
        var woken = [due(), inTurn()]
        #expect(woken == [0, 1])
        result = wait(after: 0)
        #expect(result == nil)
        readers.append(try Self.entry(2, kind: "rare"), epoch: Self.epoch)
        woken = [due(), inTurn()]
        #expect(woken == [1, 0])
        result = wait(after: 0)
        #expect(result == false, "the turn came while the reader did not wait")
        result = wait(after: 0)
        #expect(result == true, "there is something to read")
        result = wait(after: 2)
        #expect(result == nil)
        readers.begin(at: Self.position(1))
        woken = [due(), inTurn()]
        #expect(woken == [1, 0])
        waiter.resume(returning: true)
        #expect(await waiting.value)
    }

    @Test("after a new history has begun, a position of the earlier one is for the log to judge")
    func history() throws {
        var readers = Self.readers()
        let number = readers.enter(from: nil, matching: FeedFilter(kinds: ["rare"]))
        for rev in 1...8 as ClosedRange<UInt64> {
            readers.append(try Self.entry(rev, kind: "k"), epoch: Self.epoch)
        }
        let first = readers.page(number, after: Self.position(0), most: 16)
        let old = try #require(first).through
        #expect(old.rev == 8)
        let later = UUIDv7(high: 3, low: 3)
        readers.begin(at: Self.position(3, run: later))
        for rev in 4...12 as ClosedRange<UInt64> {
            readers.append(try Self.entry(rev, kind: "rare", run: later), epoch: Self.epoch)
        }
        let page = readers.page(number, after: old, most: 16)
        #expect(page == nil)
    }

    @Test("networks and readers are counted, and nothing is left of those that have gone")
    func counts() throws {
        var readers = Self.readers()
        let network = try #require(IPAddress("192.0.2.1")?.network)
        let numbers = try (0..<6).map { number in
            let box = try AreaBox(south: 0, west: 0, north: Double(number % 2) + 1, east: 1)
            return readers.enter(from: number < 4 ? network : nil, matching: FeedFilter(area: .box(box)))
        }
        #expect(readers.count == 6 && readers.count(from: network) == 4)
        #expect(!readers.isEmpty)
        for number in numbers { readers.leave(number) }
        #expect(readers.count(from: network) == 0)
        #expect(readers.isEmpty)
    }
}
