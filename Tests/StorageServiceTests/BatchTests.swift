// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import SQLite
import TestPostgreSQL
import TestTurns
import Testing
import WaymarkProtocol

@testable import EngineParts
@testable import StorageRules

@Suite("Batches", .inShortTurn)
struct BatchTests {
    @Test(arguments: Home.allCases)
    func refusalLeavesTheOthersDone(home: Home) async throws {
        let client = try EngineClient(home)
        let replies = try client.apply([
            client.request(.add(draft("one"), note: nil)),
            client.request(.remove(UUIDv7(high: 9, low: 9), ifVersion: nil)),
            client.request(.add(draft("two"), note: nil)),
        ])
        #expect(replies.map(\.failure.code) == [0, 404, 0])
        #expect(replies[2].written.rev == 2)
        #expect(try await client.all().map(\.name) == ["one", "two"])
    }

    /// A command that fails where its checks foresaw nothing: here the database itself refuses the row.
    @Test(.onSQLite("looks into SQLite's file"), arguments: Home.allCases)
    func unforeseenFailureOfOneCommandLeavesTheOthersDone(home: Home) async throws {
        let client = try EngineClient(home)
        let added = try client.add("one")
        try client.sqlite.probe { db in
            try db.execute(
                sql: """
                    CREATE TEMP TRIGGER boom BEFORE INSERT ON changes WHEN NEW.user = 'boom'
                    BEGIN SELECT RAISE(ABORT, 'boom'); END
                    """)
        }
        let batch = [
            client.request(.add(try draft("two"), note: nil)),
            client.request(.add(try draft("three"), note: "lost"), user: "boom"),
            client.request(.edit(added.id, try LandmarkEdit(name: "edited"), ifVersion: nil)),
        ]
        let replies = try client.apply(batch)
        #expect(replies.map(\.failure.code) == [0, ErrorCode.internal.rawValue, 0])
        #expect(try await client.all().map(\.name) == ["edited", "two"])
        #expect(client.changes.map(\.rev) == [1, 2, 3])
        // The failure was not remembered: the same request may go well later.
        try client.sqlite.probe { db in try db.execute(sql: "DROP TRIGGER boom") }
        #expect(try client.apply([batch[1]])[0].written.rev == 4)
        try await client.expectSound()
    }

    @Test(.onSQLite("looks into SQLite's file"), arguments: Home.allCases)
    func fullDiskUndoesTheBatchAndIsOverWhenThereIsRoom(home: Home) async throws {
        let client = try EngineClient(home)
        let added = try client.add("one")
        try client.sqlite.limitPages(to: 0)
        var failed: [WriteRequest] = []
        var held = 0
        for round in 0..<200 where failed.isEmpty {
            let batch = [
                client.request(.remove(UUIDv7(high: 9, low: 9), ifVersion: nil)),
                client.request(.addNote(added.id, text: String(repeating: "n", count: 2_000))),
                client.request(.add(try draft("later \(round)"), note: nil)),
            ]
            do {
                _ = try client.apply(batch)
                held += 1
            } catch EngineError.full {
                failed = batch
            }
        }
        #expect(!failed.isEmpty)
        let before = client.engine.position
        #expect(before.rev == UInt64(1 + 2 * held))
        #expect(throws: EngineError.full) { try client.apply(failed) }
        #expect(client.engine.position == before)
        // Reads go on, and see nothing of it.
        #expect(try await client.all().count == 1 + held)
        #expect(try await client.landmark(added.id).notes.count == held)
        try client.sqlite.limitPages(to: 1_000_000)
        // Another one first, so that what the failed batch left in memory, if anything, would be taken for its answer.
        #expect(try client.add("first again").rev == before.rev + 1)
        let replies = try client.apply(failed)
        #expect(replies.map(\.failure.code) == [ErrorCode.notFound.rawValue, 0, 0])
        #expect(replies.map(\.written.rev) == [0, before.rev + 2, before.rev + 3])
        try await client.expectSound()
    }

    @Test func emptyBatchDoesNothing() throws {
        let client = try EngineClient(.memory)
        #expect(try client.apply([]).isEmpty)
    }

    @Test(arguments: Home.allCases)
    func closedEngineSaysSo(home: Home) async throws {
        let client = try EngineClient(home)
        let added = try client.add("one")
        let (reader, index) = (client.engine.reader, client.engine.index)
        client.engine.close()
        client.engine.close()
        #expect(throws: EngineError.closed) { try client.add("two") }
        #expect(throws: EngineError.closed) { try client.engine.upkeep.compact(below: 1) }
        await #expect(throws: EngineError.closed) { try await reader.show(added.id, historyLimit: 1) }
        await #expect(throws: EngineError.closed) {
            try await index.search(SearchText("one"), limit: 1, filter: LandmarkFilter(), atLeast: 1)
        }
    }
}

extension EngineClient {
    /// What must hold whatever has happened: memory, log and tables tell the same.
    func expectSound() async throws {
        var logged: [Data] = []
        while true {
            let page = try await engine.reader.changes(
                since: UInt64(logged.count), limit: 100_000, maxBytes: .max)
            #expect(page.head == engine.position.rev)
            guard !page.changes.isEmpty else { break }
            logged += page.changes
        }
        #expect(logged == changes.map { Data($0.bytes) })
        var last: [Landmark.ID: Landmark] = [:]
        for change in try decodedChanges {
            last[change.landmark.id] = change.operation == .removed ? nil : change.landmark
        }
        #expect(try await all() == last.values.sorted { $0.id < $1.id })
        let notes = last.values.flatMap { $0.notes.map { Int64($0.id.high) } }.sorted()
        let stored = try integers("SELECT key FROM notes ORDER BY key")
        #expect(stored == notes)
    }
}
