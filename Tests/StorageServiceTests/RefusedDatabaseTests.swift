// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import SQLite
import TestPostgreSQL
import TestTurns
import Testing

@testable import EngineParts
@testable import StorageOnSQLite
@testable import StorageRules

@Suite("A database that this release refuses", .onSQLite("SQLite's migrations"), .inTurn)
struct RefusedDatabaseTests {
    @Test func laterSchemaIsRefusedByNameAndLeftAsItIs() async throws {
        let folder = try UpgradedFolder.filled()
        defer { try? FileManager.default.removeItem(atPath: folder.path + ".log") }
        let file = try DatabaseQueue(path: folder.database)
        try await file.write { db in
            try db.execute(sql: "INSERT INTO waymark_migrations VALUES (?)", arguments: ["9 of\u{1b}[2J tomorrow"])
        }
        file.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.database))
        let program = try folder.start()
        #expect(try await program.ended() == 1)
        let told = try folder.log()
        #expect(
            told.contains(#"\"9 of[2J tomorrow\""#) && told.contains(#"\"4 people\""#) && !told.contains("\u{1b}"))
        #expect(told.split(separator: "\n").filter { $0.contains("newer release") }.count == 1)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database)) == before)
        #expect(try folder.copies().isEmpty)
    }

    @Test("a database from before the first release is refused with the way to keep its landmarks, and left as it is")
    func beforeTheFirstRelease() async throws {
        let folder = try UpgradedFolder.filled()
        let file = try DatabaseQueue(path: folder.database)
        try await file.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
                    INSERT INTO grdb_migrations VALUES ('1 history'); DROP TABLE waymark_migrations
                    """)
        }
        file.close()
        let path = folder.database
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let refusal = EngineError.beforeFirstRelease(path: path)
        #expect(throws: refusal) { try SQLiteEngine(directory: folder.path, logger: .silent) }
        #expect(
            "\(refusal)".contains(#""waymark list --all -o json""#) && "\(refusal)".contains(#""waymark ingest""#))
        #expect(throws: RestoreError.beforeFirstRelease(path)) {
            try DatabaseRestore.run(path, into: Scratch().path, force: false)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(try folder.copies().isEmpty)
    }
}
