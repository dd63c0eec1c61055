// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Foundation
import Landmarks
import TestTurns
import Testing
import WaymarkProtocol

@Suite("What a relay keeps", .inShortTurn)
struct RelayLogTests {
    private static let epoch = UUIDv7(high: 1, low: 1)
    private static func run(_ number: UInt64) -> UUIDv7 { UUIDv7(high: 2, low: number) }
    private static func at(_ rev: UInt64, run: UInt64? = 1, epoch: UUIDv7 = epoch) -> Position {
        Position(epoch: epoch, rev: rev, run: run.map(Self.run))
    }
    private typealias PageBounds = (changes: Int, bytes: Int, examined: Int)

    /// Begins after revision 10, and has 11 to 15 of run 1, 16 to 18 of run 2. Each change is its revision in ten bytes.
    private static func log(_ bounds: RelayLog.Bounds = RelayLog.Bounds()) -> RelayLog {
        var log = RelayLog(after: 10, epoch: epoch, run: run(1), bounds: bounds)
        for rev in 11...15 { log.append(change(rev)) }
        let resumes = log.resume(in: run(2))
        #expect(resumes)
        for rev in 16...18 { log.append(change(rev)) }
        return log
    }

    private static func change(_ rev: Int) -> [UInt8] { [UInt8](repeating: UInt8(rev), count: 10) }

    private static func revs(_ log: RelayLog, _ since: Position) -> [UInt8]? {
        log.page(
            after: since, most: 100, mostBytes: 1_000, mostExamined: 100,
            operation: nil as (([UInt8]) -> FeedOperation?)?
        )?.changes.map { $0[0] }
    }

    @Test("it answers positions of its stretch and of the runs that it has followed there, and no other")
    func positions() {
        let log = Self.log()
        #expect(Self.revs(log, Self.at(10)) == [11, 12, 13, 14, 15, 16, 17, 18])
        #expect(Self.revs(log, Self.at(15)) == [16, 17, 18])
        #expect(Self.revs(log, Self.at(17, run: 2)) == [18])
        #expect(Self.revs(log, Self.at(17, run: nil)) == [18])
        #expect(Self.revs(log, Self.at(18, run: 2)) == [])
        // The second run's history contains the first one's revisions.
        #expect(Self.revs(log, Self.at(12, run: 2)) == [13, 14, 15, 16, 17, 18])
        // Before the stretch, beyond the head, another run, one that has not come so far, another epoch.
        #expect(Self.revs(log, Self.at(9)) == nil)
        #expect(Self.revs(log, Self.at(19, run: 2)) == nil)
        #expect(Self.revs(log, Self.at(.max, run: nil)) == nil)
        #expect(Self.revs(log, Self.at(12, run: 3)) == nil)
        #expect(Self.revs(log, Self.at(16, run: 1)) == nil)
        #expect(Self.revs(log, Self.at(12, epoch: UUIDv7(high: 1, low: 2))) == nil)
    }

    @Test("pages are bounded, hold at least one change, and say how far they reach")
    func pages() throws {
        let log = Self.log()
        func page(
            _ bounds: PageBounds, _ filter: (([UInt8]) -> FeedOperation?)? = nil
        ) throws -> WireRawChangesPage {
            try #require(
                log.page(
                    after: Self.at(10), most: bounds.changes, mostBytes: bounds.bytes, mostExamined: bounds.examined,
                    operation: filter))
        }
        #expect(try page((3, 1_000, 100)).through == 13)
        #expect(try page((100, 25, 100)).through == 12)
        #expect(try page((100, 1, 100)).through == 11)
        #expect(try page((0, 1, 0)).changes.count == 1)
        let even: (([UInt8]) -> FeedOperation?) = { $0[0] % 2 == 0 ? .entered : nil }
        let filtered = try page((2, 1_000, 100), even)
        let entered = UInt32(WireChange.Operation.entered.rawValue)
        #expect(filtered.changes.map { $0[0] } == [12, 14] && filtered.operations == [entered, entered])
        #expect(filtered.through == 14)
        // It also ends after it has looked at so many, with or without a match.
        #expect(try page((100, 1_000, 3), even).through == 13)
        #expect(try page((100, 1_000, 1), even).changes.isEmpty)
        #expect(UUIDv7(bytes: filtered.run) == Self.run(2) && filtered.head == 18)
    }

    @Test("it forgets the oldest beyond its bounds, by number and by bytes")
    func bounds() {
        for bounds in [RelayLog.Bounds(changes: 3, bytes: 1_000), RelayLog.Bounds(changes: 100, bytes: 39)] {
            let log = Self.log(bounds)
            #expect(log.count == 3 && log.bytes == 30 && log.start == 15)
            #expect(Self.revs(log, Self.at(15)) == [16, 17, 18])
            #expect(Self.revs(log, Self.at(14)) == nil)
        }
        var none = RelayLog(after: 4, epoch: Self.epoch, run: Self.run(1), bounds: .init(changes: 10, bytes: 5))
        none.append(Self.change(5))
        #expect(none.count == 0 && none.bytes == 0 && none.start == 5)
    }

    @Test("what was before is added if it ends where the log starts, and one of its runs has read it")
    func fills() {
        var log = Self.log(.init(changes: 11, bytes: 1_000))
        let older = (6...10).map(Self.change)
        log.prepend(older, through: 9, run: Self.run(1))
        log.prepend(older, through: 10, run: Self.run(3))
        log.prepend(older, through: 10, run: nil)
        #expect(log.start == 10)
        log.prepend(older, through: 10, run: Self.run(2))
        #expect(log.count == 11 && log.start == 7)
        #expect(Self.revs(log, Self.at(7))?.first == 8)
        log.append(Self.change(19))
        #expect(log.start == 8 && Self.revs(log, Self.at(8))?.count == 11)
    }

    @Test("a run that comes again is not understood; after many restarts the oldest runs are storage's to judge")
    func runs() {
        var log = Self.log()
        let understood = [2, 1, 2].map { log.resume(in: Self.run($0)) }
        #expect(understood == [true, false, true] && log.run == Self.run(2))
        let later = (3..<100 as Range<UInt64>).filter { !log.resume(in: Self.run($0)) }
        #expect(later.isEmpty)
        #expect(Self.revs(log, Self.at(12, run: 1)) == nil)
        #expect(Self.revs(log, Self.at(18, run: 99)) == [])
    }

    @Test("the greatest revisions do not overflow")
    func greatest() {
        let log = RelayLog(after: .max, epoch: Self.epoch, run: Self.run(1))
        #expect(Self.revs(log, Self.at(.max)) == [])
        #expect(Self.revs(log, Self.at(.max - 1)) == nil)
        var relay = Relay()
        _ = relay.began(at: Self.at(.max), run: Self.run(1), floor: 1)
        let steps = relay.took(.max, in: Self.run(1), floor: 1, bytes: [])
        #expect(steps.isEmpty)
    }
}
