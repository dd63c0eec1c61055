// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import SQLite
import TestPostgreSQL
import TestTurns
import Testing
import WaymarkProtocol

@testable import StorageOnSQLite
@testable import StorageRules

@Suite("Runs tell histories apart", .inShortTurn)
struct RunTests {
    private func check(_ client: EngineClient, _ position: Position) async throws {
        _ = try await client.engine.reader.changes(
            since: position.rev, run: position.run, limit: 100, maxBytes: .max)
    }

    @Test(arguments: Home.allCases)
    func ownPositionsAreKnown(home: Home) async throws {
        let client = try EngineClient(home)
        let start = client.engine.position
        for number in 0..<5 { try client.add("\(number)") }
        try await check(client, start)
        try await check(client, client.engine.position)
        let stranger = Position(epoch: start.epoch, rev: 3, run: UUIDv7.new())
        await #expect(throws: EngineError.otherHistory) { try await check(client, stranger) }
    }

    @Test func positionsOfEarlierRunsHoldUpToWhereTheNextOneBegan() async throws {
        let client = try EngineClient(.disk)
        var positions: [Position] = [client.engine.position]
        for round in 0..<4 {
            for number in 0..<round { try client.add("\(round) \(number)") }
            positions.append(client.engine.position)
            try client.reopen()
        }
        for position in positions { try await check(client, position) }
        var beyond = positions[3]
        #expect(beyond.rev == 3)
        beyond.rev += 1
        await #expect(throws: EngineError.otherHistory) { try await check(client, beyond) }
    }

    /// The files are copied, history goes on, and the copy is put back by hand: same epoch, other changes.
    @Test(.onSQLite("looks into SQLite's file")) func olderCopyPutBackIsTold() async throws {
        let client = try EngineClient(.disk)
        for number in 0..<5 { try client.add("\(number)") }
        let shared = client.engine.position
        client.engine.close()
        let path = try #require(client.scratch?.path) + "/waymark.sqlite"
        let copy = try Data(contentsOf: URL(fileURLWithPath: path))
        try client.reopen()
        for number in 0..<5 { try client.add("lost \(number)") }
        let lost = client.engine.position
        client.engine.close()
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        try copy.write(to: URL(fileURLWithPath: path))
        try client.reopen()
        #expect(client.engine.position.epoch == lost.epoch && client.engine.position.rev == 5)
        // It comes before that the revision is beyond the head,
        await #expect(throws: EngineError.otherHistory) { try await check(client, lost) }
        for number in 0..<9 { try client.add("other \(number)") }
        // and is told still when the revision exists again, as another change.
        await #expect(throws: EngineError.otherHistory) { try await check(client, lost) }
        try await check(client, shared)
        try await check(client, client.engine.position)
    }

    /// The copy went on elsewhere, and further than the text search of this directory has read.
    @Test(.onSQLite("looks into SQLite's file")) func textSearchOfAnotherHistoryIsBuiltAnew() async throws {
        let client = try EngineClient(.disk)
        for number in 0..<5 { try client.add("\(number)") }
        client.engine.close()
        let path = try #require(client.scratch?.path)
        let elsewhere = Scratch()
        try FileManager.default.copyItem(atPath: path, toPath: elsewhere.path)
        try client.reopen()
        for number in 0..<5 { try client.add("lost \(number)") }
        #expect(try await client.search("lost").count == 5)
        client.engine.close()
        client.engine = try SQLiteEngine(directory: elsewhere.path, logger: .silent)
        for number in 0..<9 { try client.add("other \(number)") }
        client.engine.close()
        let file = "/waymark.sqlite"
        try FileManager.default.removeItem(atPath: path + file)
        try FileManager.default.copyItem(atPath: elsewhere.path + file, toPath: path + file)
        try client.reopen()
        #expect(try await client.search("other").count == 9)
        #expect(try await client.search("lost") == [])
    }

    @Test func otherHistoryComesBeforeFutureAndFutureBeforeCompacted() async throws {
        let client = try EngineClient(.disk)
        for number in 0..<5 { try client.add("\(number)") }
        _ = try client.engine.upkeep.compact(below: 4)
        let stranger = UUIDv7.new()
        for rev: UInt64 in [1, 4, 99] {
            await #expect(throws: EngineError.otherHistory) {
                try await client.engine.reader.changes(since: rev, run: stranger, limit: 1, maxBytes: 1)
            }
        }
        let run = client.engine.position.run
        await #expect(throws: EngineError.futureRevision(floor: 4, head: 5)) {
            try await client.engine.reader.changes(since: 99, run: run, limit: 1, maxBytes: 1)
        }
        await #expect(throws: EngineError.compacted(floor: 4, head: 5)) {
            try await client.engine.reader.changes(since: 1, run: run, limit: 1, maxBytes: 1)
        }
        #expect(EngineError.otherHistory.serviceError.code == .epochChanged)
    }

    @Test(arguments: Home.allCases)
    func timesAreLocated(home: Home) async throws {
        let client = try EngineClient(home)
        let reader = client.engine.reader
        let none = try await reader.locate(before: .max)
        #expect(none.rev == 0 && none.floor == 1)
        let start = client.now
        for number in 0..<20 {
            client.now = start + UInt64(number / 2) * 1_000
            try client.add("\(number)")
        }
        #expect(try await reader.locate(before: 0).rev == 0)
        #expect(try await reader.locate(before: start).rev == 0)
        #expect(try await reader.locate(before: start + 1).rev == 2)
        #expect(try await reader.locate(before: start + 3_000).rev == 6)
        #expect(try await reader.locate(before: start + 9_000).rev == 18)
        #expect(try await reader.locate(before: .max).rev == 20)
        _ = try client.engine.upkeep.compact(below: 11)
        let (forgotten, kept) = (
            try await reader.locate(before: start + 3_000), try await reader.locate(before: start + 6_000)
        )
        #expect(forgotten.rev == 10 && forgotten.floor == 11)
        #expect(kept.rev == 12 && kept.floor == 11)
    }
}
