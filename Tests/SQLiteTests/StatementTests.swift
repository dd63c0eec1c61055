// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestTurns
import Testing

@testable import SQLite

@Suite("Statements", .inShortTurn)
struct StatementTests {
    private static func database() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(
                sql: "CREATE TABLE t (k INTEGER PRIMARY KEY, name TEXT NOT NULL, body BLOB NOT NULL) STRICT")
        }
        return queue
    }

    private static func insert(_ statement: Statement, _ key: UInt64, _ name: String, _ body: [UInt8]) throws {
        statement.bind(1, key)
        statement.bind(2, name)
        statement.bind(3, body)
        try statement.run()
    }

    @Test("a blob that is lent is stored, also an empty one, and is not bound afterwards")
    func lending() throws {
        try Self.database().write { db in
            let insert = try Statement(db, sql: "INSERT INTO t VALUES (?, 'n', ?)")
            let bodies: [[UInt8]] = [Array(repeating: 7, count: 5_000), [], [1]]
            for (key, body) in bodies.enumerated() {
                insert.bind(1, UInt64(key))
                try insert.run(lending: body, at: 2)
                let select = try Statement(db, sql: "SELECT body FROM t WHERE k = \(key)")
                let stored = try select.first { row in try row.withBlob(0) { [UInt8]($0) } }
                #expect(stored == body)
            }
            insert.bind(1, 9 as UInt64)
            #expect(throws: DatabaseError.self) { try insert.run() }
        }
    }

    @Test("values come back as they were: all 64 bits, empty texts and blobs, no ASCII")
    func values() throws {
        try Self.database().write { db in
            let insert = try Statement(db, sql: "INSERT INTO t VALUES (?, ?, ?)")
            let select = try Statement(db, sql: "SELECT k, name, body FROM t WHERE k = ?")
            for (key, name, body) in [
                (UInt64.max, "", []), (0, "Patiāla", [0, 255]), (1 << 63, String(repeating: "x", count: 70_000), [1]),
                (1, "a\0b", [UInt8](repeating: 7, count: 200_000)),
            ] as [(UInt64, String, [UInt8])] {
                try Self.insert(insert, key, name, body)
                select.bind(1, key)
                let found = try select.first { row in
                    (UInt64(bitPattern: try row.integer(0)), try row.text(1), try [UInt8].read(row, 2))
                }
                #expect(found?.0 == key && found?.1 == name && found?.2 == body)
            }
            // Bytes without an address are an empty value, not NULL.
            let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
            insert.bind(1, 2 as Int64)
            insert.bind(2, text: nothing)
            insert.bind(3, blob: nothing)
            #expect(try insert.run() == 1)
            select.bind(1, 7 as Int64)
            #expect(try select.first { _ in true } == nil)
        }
    }

    @Test("each type of value is bound and read, NULL too")
    func types() throws {
        try DatabaseQueue().write { db in
            try db.execute(sql: "CREATE TABLE t (a, b, c, d, e, f)")
            let none: String? = nil
            try db.execute(
                sql: "INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)",
                arguments: [Int64.min, -1, Int32.max, [UInt8](), [1, 0] as [UInt8], none])
            var count = 0
            try Statement(db, sql: "SELECT * FROM t").forEach { row in
                count += 1
                let integers = (try Int64.read(row, 0), try Int.read(row, 1), try Int32.read(row, 2))
                #expect(integers == (.min, -1, .max))
                let blobs = (try [UInt8].read(row, 3), try [UInt8].read(row, 4))
                #expect(blobs == ([] as [UInt8], [1, 0] as [UInt8]))
                #expect(row.isNull(5) && !row.isNull(3) && row.isNull(6) && row.isNull(-1))
                #expect(throws: RowError.wrongType) { try Int32.read(row, 0) }
                return true
            }
            #expect(count == 1)
            #expect(try String.fetchOne(db, sql: "SELECT f FROM t") == nil)
            #expect(try Int.fetchOne(db, sql: "SELECT b FROM t WHERE a = ?", arguments: [5]) == nil)
            #expect(try Int.fetchAll(db, sql: "SELECT column1 FROM (VALUES (3), (1), (2))") == [3, 1, 2])
        }
    }

    @Test("after an error it goes on, and tells how many rows it has changed")
    func goesOn() throws {
        try Self.database().write { db in
            let insert = try Statement(db, sql: "INSERT INTO t VALUES (?, ?, ?)")
            try Self.insert(insert, 1, "a", [1])
            let error = #expect(throws: DatabaseError.self) { try Self.insert(insert, 1, "b", [2]) }
            #expect(error?.resultCode == .constraint && error?.extendedResultCode.rawValue == 1_555)
            #expect(error?.sql == "INSERT INTO t VALUES (?, ?, ?)")
            try Self.insert(insert, 2, "c", [3])
            let delete = try Statement(db, sql: "DELETE FROM t WHERE k >= ?")
            delete.bind(1, 1 as Int64)
            #expect(try delete.run() == 2)
            #expect(try delete.run() == 0)
        }
    }

    @Test("a value of another type, or damaged text, is an error; so is SQL that is none")
    func wrongType() throws {
        try Self.database().write { db in
            let select = try Statement(db, sql: "SELECT 'text', NULL, CAST(X'61FF62' AS TEXT), X'61', 1")
            try select.first { row in
                #expect(throws: RowError.wrongType) { try row.integer(0) }
                #expect(throws: RowError.wrongType) { try row.withBlob(0) { _ in } }
                #expect(throws: RowError.wrongType) { try row.integer(1) }
                #expect(throws: RowError.notUTF8) { try row.text(2) }
                #expect(throws: RowError.wrongType) { try row.text(3) }
                #expect(throws: RowError.wrongType) { try row.text(4) }
                #expect(throws: RowError.wrongType) { try row.integer(5) }
            }
            for sql in ["SELECT FROM", "", "-- nothing", "SELECT \"no such column\""] {
                #expect(throws: DatabaseError.self) { try Statement(db, sql: sql) }
            }
        }
    }

    @Test("values are as many as parameters")
    func counts() throws {
        try Self.database().write { db in
            let insert = "INSERT INTO t VALUES (?, ?, ?)"
            for arguments in [[], [1, "a"], [1, "a", [UInt8]([1]), 4]] as [[(any SQLValue)?]] {
                let error = #expect(throws: DatabaseError.self) { try db.execute(sql: insert, arguments: arguments) }
                #expect(error?.resultCode == .range)
            }
            // Several statements take them in their order.
            try db.execute(
                sql: "DELETE FROM t; \(insert); -- one row\n UPDATE t SET name = ? WHERE k = ?; ",
                arguments: [1, "a", [UInt8]([1]), "b", 1])
            #expect(try String.fetchAll(db, sql: "SELECT name FROM t") == ["b"])
        }
    }

    @Test("a statement is prepared once for its text, and anew only while its rows are read")
    func cache() throws {
        try Self.database().write { db in
            try db.execute(sql: "INSERT INTO t VALUES (1, 'a', X'01'), (2, 'b', X'02')")
            let sql = "SELECT k FROM t ORDER BY k"
            let first = try db.cachedStatement(sql: sql)
            #expect(try db.cachedStatement(sql: sql) === first)
            var keys: [Int64] = []
            try first.forEach { row in
                keys.append(try row.integer(0))
                #expect(try db.cachedStatement(sql: sql) !== first)
                return false
            }
            #expect(try db.cachedStatement(sql: sql) === first)
            // Its rows were left in the middle: the next time it begins with the first row.
            try first.forEach { row in
                keys.append(try row.integer(0))
                return true
            }
            #expect(keys == [1, 1, 2])
        }
    }

    @Test("a row that outlives its statement's run, and a statement its database, are errors")
    func lateUse() throws {
        let queue = try Self.database()
        let row = try queue.writeWithoutTransaction { db in
            try db.execute(sql: "INSERT INTO t VALUES (1, 'a', X'01')")
            let late = try Statement(db, sql: "SELECT k FROM t").first { row in LateRow(row: row) }
            return try #require(late)
        }
        #expect(throws: RowError.wrongType) { try row.row.integer(0) }
        queue.close()
        #expect(throws: RowError.wrongType) { try row.row.integer(0) }
    }
}

/// Taken out of its closure on purpose.
private struct LateRow: @unchecked Sendable {
    // The test uses it after the work on the queue is over, and nobody else has it.
    let row: StatementRow
}
