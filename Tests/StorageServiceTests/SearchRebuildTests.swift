// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import SQLite
import Synchronization
import TestTurns
import Testing
import WaymarkProtocol

@testable import EngineParts
@testable import StorageRules

@Suite("The text search is built anew", .inShortTurn)
struct SearchRebuildTests {
    private func filled() async throws -> (EngineClient, String) {
        let client = try EngineClient(.disk)
        for part in 0..<5 {
            let rows = try (part * 500..<(part + 1) * 500).map { ("\($0)", try draft("Landmark \($0)")) }
            try client.send(.ingest(batch("seed", rows)), user: "")
        }
        #expect(try await client.search("landmark 77").first == "Landmark 77")
        return (client, try #require(client.scratch?.path) + "/search.sqlite")
    }

    @Test func whenItsFileWasDeleted() async throws {
        let (client, file) = try await filled()
        client.engine.close()
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + suffix) }
        try client.reopen()
        #expect(try await client.search("landmark 2499") == ["Landmark 2499"])
        #expect(try await client.engine.index.reached().rev == 2_500)
    }

    @Test(arguments: [0, 100, 5_000, 20_000])
    func whenItsFileIsDamaged(offset: Int) async throws {
        let (client, file) = try await filled()
        client.engine.close()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        for index in offset..<min(bytes.count, offset + 60_000) { bytes[index] = 0xa5 }
        try bytes.write(to: URL(fileURLWithPath: file))
        try client.reopen()
        try client.add("One more")
        #expect(try await client.search("more") == ["One more"])
        #expect(try await client.search("landmark 2499") == ["Landmark 2499"])
    }

    @Test func whenItIsOfAnotherHistory() async throws {
        let (client, file) = try await filled()
        let (other, otherFile) = try await filled()
        try other.add("Stranger")
        #expect(try await other.search("stranger") == ["Stranger"])
        // So that revisions alone do not give it away.
        for number in 0..<3 { try client.add("Own \(number)") }
        client.engine.close()
        other.engine.close()
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.copyItem(atPath: otherFile, toPath: file)
        try client.reopen()
        #expect(try await client.search("stranger").isEmpty)
        #expect(try await client.search("landmark 2499") == ["Landmark 2499"])
    }

    @Test func whenItIsOfAnotherVersion() async throws {
        let (client, file) = try await filled()
        client.engine.close()
        let queue = try DatabaseQueue(path: file)
        try await queue.write { db in try db.execute(sql: "DROP TABLE docs; PRAGMA user_version = 0") }
        queue.close()
        try client.reopen()
        #expect(try await client.search("landmark 2499") == ["Landmark 2499"])
    }

    /// An older copy of the database was put back: the search has come further than the log.
    @Test func whenItIsAheadOfTheLog() async throws {
        let (client, file) = try await filled()
        client.engine.close()
        let queue = try DatabaseQueue(path: file)
        try await queue.write { db in
            try db.execute(sql: "UPDATE progress SET rev = 9999; UPDATE docs SET name = 'x'")
        }
        queue.close()
        try client.reopen()
        try client.add("One more")
        #expect(try await client.search("more") == ["One more"])
        #expect(try await client.engine.index.reached().rev == 2_501)
    }

    /// Between two steps a search would find no tables.
    @Test func inOneStepForThoseWhoRead() async throws {
        let scratch = Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path, withIntermediateDirectories: true)
        let pool = try DatabaseQueue(path: scratch.path + "/search.sqlite", readers: 5)
        let epoch = UUIDv7(high: 1, low: 2)
        try await pool.write { db in try SearchSchema.create(db, epoch: epoch) }
        let isOver = Mutex(false)
        async let writing: Void = {
            defer { isOver.withLock { $0 = true } }
            for _ in 0..<100 {
                try await pool.writeWithoutTransaction { db in try SearchSchema.replace(db, epoch: epoch) }
            }
        }()
        while !isOver.withLock(\.self) {
            #expect(try await pool.read { db in try SearchProgress.read(db) }.epoch == epoch)
        }
        try await writing
        pool.close()
    }

    /// What it has not read yet is no longer kept.
    @Test(.onSQLite("cuts the log in SQLite's file")) func whenTheLogWasCompactedPastIt() async throws {
        let (client, file) = try await filled()
        client.engine.close()
        let queue = try DatabaseQueue(path: file)
        try await queue.write { db in
            try db.execute(sql: "UPDATE progress SET rev = 3; DELETE FROM words; DELETE FROM docs")
        }
        queue.close()
        let main = try DatabaseQueue(path: file.replacingOccurrences(of: "search.sqlite", with: "waymark.sqlite"))
        try await main.write { db in try db.execute(sql: "DELETE FROM changes WHERE rev < 2000") }
        main.close()
        try client.reopen()
        #expect(try await client.search("landmark 77").first == "Landmark 77")
    }
}
