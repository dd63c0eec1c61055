// SPDX-License-Identifier: Apache-2.0

import GRDB
import TestTurns
import Testing

@testable import StorageService

@Suite("Statements of the writer", .inShortTurn, .timeLimit(.minutes(5)))
struct WriterStatementTests {
    private static func database() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(
                sql: "CREATE TABLE t (k INTEGER PRIMARY KEY, name TEXT NOT NULL, body BLOB NOT NULL) STRICT")
        }
        return queue
    }

    private static func insert(_ statement: WriterStatement, _ key: UInt64, _ name: String, _ body: [UInt8]) throws {
        statement.bind(1, key)
        statement.bind(2, name)
        statement.bind(3, body)
        try statement.run()
    }

    @Test("values come back as they were: all 64 bits, empty texts and blobs, no ASCII")
    func values() throws {
        try Self.database().write { db in
            let insert = try WriterStatement(db, sql: "INSERT INTO t VALUES (?, ?, ?)")
            let select = try WriterStatement(db, sql: "SELECT k, body, length(name) FROM t WHERE k = ?")
            for (key, name, body) in [
                (UInt64.max, "", []), (0, "Patiāla", [0, 255]), (1 << 63, String(repeating: "x", count: 70_000), [1]),
            ] as [(UInt64, String, [UInt8])] {
                try Self.insert(insert, key, name, body)
                select.bind(1, key)
                let found = try select.first { row in
                    (try row.bits(0), try row.bytes(1), try row.bits(2))
                }
                #expect(found?.0 == key && found?.1 == body && found?.2 == UInt64(name.count))
            }
            select.bind(1, 7)
            #expect(try select.first { _ in true } == nil)
        }
    }

    @Test("after an error it goes on, and tells how many rows it has changed")
    func goesOn() throws {
        try Self.database().write { db in
            let insert = try WriterStatement(db, sql: "INSERT INTO t VALUES (?, ?, ?)")
            try Self.insert(insert, 1, "a", [1])
            let error = #expect(throws: DatabaseError.self) { try Self.insert(insert, 1, "b", [2]) }
            #expect(error?.resultCode == .SQLITE_CONSTRAINT)
            try Self.insert(insert, 2, "c", [3])
            let delete = try WriterStatement(db, sql: "DELETE FROM t WHERE k >= ?")
            delete.bind(1, 1)
            #expect(try delete.run() == 2)
            #expect(try delete.run() == 0)
        }
    }

    @Test("a value of another type is a damaged file, and SQL that is none an error")
    func wrongType() throws {
        try Self.database().write { db in
            let select = try WriterStatement(db, sql: "SELECT 'text', NULL")
            let wrong = EngineError.corrupted("a value is of the wrong type")
            #expect(throws: wrong) { try select.first { row in try row.bits(0) } }
            #expect(throws: wrong) { try select.first { row in try row.bytes(0) } }
            #expect(throws: wrong) { try select.first { row in try row.bits(1) } }
            #expect(try select.first { row in row.isNull(1) && !row.isNull(0) } == true)
            #expect(throws: DatabaseError.self) { try WriterStatement(db, sql: "SELECT FROM") }
        }
    }
}
