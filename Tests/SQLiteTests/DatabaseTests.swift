// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLite
import TestTurns
import Testing

@Suite("Databases", .inShortTurn)
struct DatabaseTests {
    private struct Refused: Error {}

    private static func count(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM t") ?? -1
    }

    private static func table() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.write { db in try db.execute(sql: "CREATE TABLE t (k INTEGER PRIMARY KEY)") }
        return queue
    }

    @Test("a statement without end is ended after its time, and the connection goes on")
    func limited() throws {
        let queue = try Self.table()
        func count(to end: Int) -> String {
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(end)) SELECT count(*) FROM n"
        }
        let ended = #expect(throws: DatabaseError.self) {
            try queue.read { db in
                try db.limited(to: .milliseconds(20)) { _ = try Int.fetchOne(db, sql: count(to: .max)) }
            }
        }
        #expect(ended?.resultCode == .interrupted)
        #expect(try queue.read { db in try Int.fetchOne(db, sql: count(to: 300_000)) } == 300_000)
    }

    @Test("what throws is undone, the whole transaction or the part of it")
    func rollback() throws {
        let queue = try Self.table()
        #expect(throws: Refused.self) {
            try queue.write { db in
                try db.execute(sql: "INSERT INTO t VALUES (1)")
                throw Refused()
            }
        }
        try queue.write { db in
            try db.execute(sql: "INSERT INTO t VALUES (2)")
            #expect(throws: Refused.self) {
                try db.inSavepoint {
                    try db.execute(sql: "INSERT INTO t VALUES (3)")
                    throw Refused()
                }
            }
            try db.inSavepoint {
                try db.execute(sql: "INSERT INTO t VALUES (4)")
                return false
            }
            try db.inSavepoint {
                try db.execute(sql: "INSERT INTO t VALUES (5)")
                return true
            }
        }
        try queue.writeWithoutTransaction { db in
            #expect(throws: Refused.self) {
                try db.inTransaction {
                    try db.execute(sql: "INSERT INTO t VALUES (6)")
                    throw Refused()
                }
            }
            #expect(!db.isInsideTransaction)
        }
        #expect(try queue.read { db in try Int.fetchAll(db, sql: "SELECT k FROM t ORDER BY k") } == [2, 5])
    }

    @Test("where SQLite itself has rolled back, its reason is told and the connection goes on")
    func rolledBackBySQLite() throws {
        let queue = try Self.table()
        try queue.write { db in
            try db.execute(sql: "CREATE TRIGGER no BEFORE INSERT ON t BEGIN SELECT RAISE(ROLLBACK, 'never'); END")
        }
        let error = #expect(throws: DatabaseError.self) {
            try queue.write { db in
                try db.inSavepoint {
                    try db.execute(sql: "INSERT INTO t VALUES (1)")
                    return true
                }
            }
        }
        #expect(error?.message == "never")
        try queue.write { db in try db.execute(sql: "DROP TRIGGER no; INSERT INTO t VALUES (1)") }
        #expect(try queue.read(Self.count) == 1)
    }

    @Test("a read cannot write, by no statement")
    func readsDoNotWrite() throws {
        let queue = try Self.table()
        for sql in ["INSERT INTO t VALUES (1)", "DROP TABLE t", "PRAGMA user_version = 3"] {
            let error = #expect(throws: DatabaseError.self) { try queue.read { db in try db.execute(sql: sql) } }
            #expect(error?.resultCode == .readOnly)
            try queue.writeWithoutTransaction { db in _ = try db.cachedStatement(sql: "DELETE FROM t") }
            let cached = #expect(throws: DatabaseError.self) {
                try queue.read { db in try db.cachedStatement(sql: "DELETE FROM t").run() }
            }
            #expect(cached?.resultCode == .readOnly)
        }
        #expect(try queue.write { db in try db.cachedStatement(sql: "DELETE FROM t").run() } == 0)
    }

    @Test("a file that is no database, and one that is not there, are told")
    func notADatabase() throws {
        let folder = try DatabaseFolder()
        try Data(repeating: 0x41, count: 8_192).write(to: URL(fileURLWithPath: folder.file))
        for _ in 0..<2 {
            let error = #expect(throws: DatabaseError.self) { try DatabaseQueue(path: folder.file) }
            #expect(error?.resultCode == .notADatabase)
            let pooled = #expect(throws: DatabaseError.self) { try DatabaseQueue(path: folder.file, readers: 5) }
            #expect(pooled?.resultCode == .notADatabase)
        }
        var configuration = Configuration()
        configuration.readonly = true
        let missing = folder.path + "/none"
        let error = #expect(throws: DatabaseError.self) {
            try DatabaseQueue(path: missing, configuration: configuration)
        }
        #expect(error?.resultCode == .cannotOpen && !FileManager.default.fileExists(atPath: missing))
    }

    @Test("a full disk is told, undone, and gone when there is room again")
    func fullDisk() throws {
        let queue = try Self.table()
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "CREATE TABLE big (x); PRAGMA max_page_count = 10")
        }
        let error = #expect(throws: DatabaseError.self) {
            try queue.write { db in try db.execute(sql: "INSERT INTO big VALUES (zeroblob(100000))") }
        }
        #expect(error?.resultCode == .full)
        try queue.writeWithoutTransaction { db in
            #expect(!db.isInsideTransaction)
            try db.execute(sql: "PRAGMA max_page_count = 1000")
        }
        try queue.write { db in try db.execute(sql: "INSERT INTO big VALUES (zeroblob(100000))") }
        #expect(try queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM big") } == 1)
    }

    @Test("a copy takes the place of all that a database holds")
    func backup() throws {
        let queue = try Self.table()
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "INSERT INTO t VALUES (1)")
            try DatabaseQueue().writeWithoutTransaction { empty in try empty.backup(to: db) }
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0)
        }
    }

    @Test("migrations are done once, in their order, and one that fails is done again")
    func migrations() throws {
        let queue = try DatabaseQueue()
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 t") { db in try db.execute(sql: "CREATE TABLE t (k)") }
        try migrator.migrate(queue)
        var broken = migrator
        broken.registerMigration("2 row") { db in try db.execute(sql: "INSERT INTO t VALUES (1); SELECT nothing") }
        #expect(throws: DatabaseError.self) { try broken.migrate(queue) }
        #expect(try queue.read { db in try migrator.appliedIdentifiers(db) } == ["1 t"])
        migrator.registerMigration("2 row") { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
        for _ in 0..<2 { try migrator.migrate(queue) }
        #expect(migrator.migrations == ["1 t", "2 row"])
        #expect(try queue.read { db in try Int.fetchAll(db, sql: "SELECT k FROM t") } == [2])
    }
}
