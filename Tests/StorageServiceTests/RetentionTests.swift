// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import SQLite
import SwiftProtobuf
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol
import ZeroMQ

@testable import EngineParts
@testable import StorageRules
@testable import StorageService

@Suite("What the log keeps", .inShortTurn)
struct RetentionTests {
    private func filled(_ home: Home, _ count: Int, step: UInt64 = 1_000) async throws -> EngineClient {
        let client = try EngineClient(home)
        for number in 0..<count {
            try client.add("\(number)")
            client.now += step
        }
        // Compaction waits for the text search.
        #expect(try await client.search("0").count >= 1)
        return client
    }

    private func retention(count: UInt64 = 1_000_000, age: Duration = .zero, least: UInt64 = 1) -> Retention {
        var retention = Retention(count: count, age: age)
        retention.least = least
        return retention
    }

    @Test(arguments: Home.allCases)
    func byCount(home: Home) async throws {
        let client = try await filled(home, 30)
        let engine = client.engine
        #expect(try engine.upkeep.compact(to: retention(count: 30), now: 0, limit: 100) == 1)
        #expect(try engine.upkeep.compact(to: retention(count: 25), now: 0, limit: 3) == 4)
        #expect(try engine.upkeep.compact(to: retention(count: 25), now: 0, limit: 3) == 6)
        #expect(try engine.upkeep.compact(to: retention(count: 25), now: 0, limit: 3) == 6)
        #expect(try engine.upkeep.compact(to: retention(count: 1, least: 7), now: 0, limit: 100) == 24)
        #expect(try engine.upkeep.compact(to: retention(count: 0, least: 0), now: 0, limit: 100) == 30)
        #expect(engine.upkeep.floor == 30 && engine.position.rev == 30)
    }

    @Test(arguments: Home.allCases)
    func byAge(home: Home) async throws {
        let client = try await filled(home, 30)
        let engine = client.engine
        // Revision n was made at start + (n - 1) s.
        let start: UInt64 = 1_700_000_000_000
        #expect(try engine.upkeep.compact(to: retention(age: .seconds(10)), now: start + 10_000, limit: 100) == 1)
        #expect(try engine.upkeep.compact(to: retention(age: .seconds(10)), now: start + 15_000, limit: 100) == 6)
        #expect(try engine.upkeep.compact(to: retention(age: .seconds(10)), now: start + 90_000, limit: 4) == 10)
        #expect(try engine.upkeep.compact(to: retention(), now: .max, limit: 100) == 10)
        // A clock that jumped far ahead cannot have all.
        #expect(try engine.upkeep.compact(to: retention(age: .seconds(10), least: 8), now: .max, limit: 100) == 23)
        #expect(try engine.upkeep.compact(to: retention(age: .seconds(10), least: 8), now: 0, limit: 100) == 23)
    }

    @Test("the log waits for hooks that go on, as long as it is told to", arguments: Home.allCases)
    func hooks(home: Home) async throws {
        let client = try await filled(home, 30)
        let start: UInt64 = 1_700_000_000_000
        func add(_ name: String, after rev: UInt64) throws {
            let draft = WireAddHook.with { ($0.name, $0.url, $0.rev) = (name, "https://example.org/", rev) }
            #expect(try client.send(.addHook(HookDraft(draft))).hooks.hooks.first?.position.rev == rev)
        }
        try add("a", after: 12)
        try add("b", after: 20)
        var kept = retention(count: 5)
        kept.hooks = .seconds(15)
        // Revision 13 was made 12 s after the start. A hook that needs 13 is waited for until 27 s after the start.
        #expect(try client.engine.upkeep.compact(to: kept, now: start + 27_000, limit: 100) == 13)
        kept.hooks = .zero
        #expect(try client.engine.upkeep.compact(to: kept, now: start + 27_000, limit: 1) == 14)
        kept.hooks = .seconds(15)
        // What the first needs is gone, and what the second needs is not too old yet.
        #expect(try client.engine.upkeep.compact(to: kept, now: start + 35_000, limit: 100) == 21)
        let pause = WireChangeHook.with { ($0.act, $0.name) = (.pause, "b") }
        try client.send(.changeHook(HookChange(pause)))
        #expect(try client.engine.upkeep.compact(to: kept, now: start + 35_000, limit: 100) == 26)
    }

    @Test func changesOfTheFutureAreAsOldAsThoseAroundThem() async throws {
        let client = try EngineClient(.memory)
        let start = client.now
        for number in 0..<10 {
            client.now = start + (number == 3 ? 900_000_000 : UInt64(number) * 1_000)
            try client.add("x\(number)")
        }
        _ = try await client.search("x1")
        let floor = try client.engine.upkeep.compact(to: retention(age: .seconds(2)), now: start + 8_500, limit: 100)
        #expect(floor == 8)
    }

    @Test func clockThatJumpsIsNotBelieved() {
        let clock = EvenClock(wall: 1_000_000, monotonic: 500)
        #expect(clock.now(wall: 1_000_100, monotonic: 600) == 1_000_100)
        #expect(clock.now(wall: 99_000_000, monotonic: 700) == 1_000_200)
        #expect(clock.now(wall: 5, monotonic: 800) == 5)
    }

    @Test func changesThatTheTextSearchHasNotReadWait() async throws {
        let client = try await filled(.disk, 20)
        // As if it had stopped there.
        client.engine.index.close()
        client.engine.control.search(reached: 5)
        var patient = retention(count: 1)
        #expect(try client.engine.upkeep.compact(to: patient, now: 0, limit: 100) == 6)
        patient.searchLag = 3
        #expect(try client.engine.upkeep.compact(to: patient, now: 0, limit: 100) == 17)
        // It is behind the floor now, and built anew.
        try client.reopen()
        try client.add("Manly")
        #expect(try await client.search("manly") == ["Manly"])
        #expect(try await client.search("19") == ["19"])
        #expect(client.engine.upkeep.floor == 17)
    }

    /// Has no room for any deletion.
    private final class FullDisk: UpkeepDatabase {
        let database: DatabaseQueue
        let fewerNeedLess: Bool
        var attempts = 0

        init(_ database: DatabaseQueue, fewerNeedLess: Bool) {
            (self.database, self.fewerNeedLess) = (database, fewerNeedLess)
        }

        func look<Value>(_ body: (UpkeepTables) throws -> Value) throws(EngineError) -> Value {
            do { return try database.writeWithoutTransaction { db in try body(UpkeepTables(db)) } } catch {
                throw EngineError(error)
            }
        }

        func delete(_ body: (UpkeepTables) throws -> Void) throws(EngineError) {
            attempts += 1
            throw .full
        }
    }

    @Test("on a full disk fewer changes are deleted, where those need less room", arguments: [true, false])
    func fullDisk(fewerNeedLess: Bool) throws {
        let queue = try DatabaseQueue()
        try SQLiteSchema.migrator(newEpoch: UUIDv7(high: 1, low: 2)).migrate(queue)
        let disk = FullDisk(queue, fewerNeedLess: fewerNeedLess)
        let upkeep = try EngineUpkeep(disk, control: EngineControl())
        #expect(throws: EngineError.full) { try upkeep.compact(below: 100, limit: 64) }
        // 64, 8 and 1.
        #expect(disk.attempts == (fewerNeedLess ? 3 : 1))
    }

    @Test(arguments: Home.allCases)
    func readersThatRaceWithItMissNothingInSilence(home: Home) async throws {
        let client = try await filled(home, 200)
        let reader = client.engine.reader
        let run = client.engine.position.run
        let isOver = Locked(false)
        let readers = (0..<4).map { seed in
            Task { () -> (pages: Int, compacted: Int) in
                var random = SplitMix64(seed: UInt64(seed))
                var counts = (pages: 0, compacted: 0)
                // Each has its turns, however busy the machine is: what both kinds of them meet is there to the end.
                while !isOver.withLock({ $0 }) || counts.pages == 0 || counts.compacted == 0 {
                    let since = random.next() % 400
                    // Others test too.
                    try? await Task.sleep(for: .microseconds(500))
                    do throws(EngineError) {
                        let page = try await reader.changes(since: since, run: run, limit: 50, maxBytes: .max)
                        for (offset, bytes) in page.changes.enumerated() {
                            let rev = (try? WireChange(serializedBytes: bytes))?.rev
                            guard rev == since + 1 + UInt64(offset) else { return (-1, 0) }
                        }
                        guard page.through == since + UInt64(page.changes.count), page.floor <= since + 1,
                            page.through == page.head || page.changes.count == 50
                        else { return (-2, 0) }
                        counts.pages += 1
                    } catch {
                        switch error {
                        case .compacted(let floor, _) where floor > since + 1: counts.compacted += 1
                        case .futureRevision(_, let head) where head < since: break
                        default: return (-3, 0)
                        }
                    }
                }
                return counts
            }
        }
        for number in 0..<200 {
            try client.add("late \(number)")
            _ = try client.engine.upkeep.compact(below: UInt64(number) + 100, limit: 3)
            if number.isMultiple(of: 10) { try await Task.sleep(for: .milliseconds(5)) }
        }
        isOver.withLock { $0 = true }
        for task in readers {
            let counts = await task.value
            #expect(counts.pages > 0 && counts.compacted > 0)
        }
    }
}
