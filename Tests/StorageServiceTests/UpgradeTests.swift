// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Landmarks
import SQLite
import TestPostgreSQL
import TestTurns
import Testing
import WaymarkProtocol

@testable import EngineParts
@testable import StorageOnSQLite
@testable import StorageRules

@Suite("A database of an earlier or a later release", .onSQLite("SQLite's migrations"), .inTurn)
struct UpgradeTests {
    /// A release that has one more migration.
    private static var later: DatabaseMigrator {
        var migrator = SQLiteSchema.migrator()
        migrator.registerMigration("5 made up") { db in
            try db.execute(sql: "ALTER TABLE landmarks ADD COLUMN made_up INTEGER NOT NULL DEFAULT 0")
        }
        return migrator
    }

    private static var upgrading: EngineTuning {
        var tuning = EngineTuning()
        tuning.migrator = later
        return tuning
    }

    /// A directory with a database of 50 landmarks.
    private static func filled() throws -> Scratch {
        let scratch = Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path, withIntermediateDirectories: true)
        let pool = try DatabaseQueue(path: database(scratch), readers: 5)
        try SQLiteSchema.migrator().migrate(pool)
        try pool.writeWithoutTransaction { db in
            let rules = try BatchRunner(.sqlite(db), window: AnswerWindow(), uptime: .zero, logger: .silent)
            try db.execute(sql: "BEGIN IMMEDIATE TRANSACTION")
            let requests = try (1...50).map { number in
                WriteRequest(
                    client: UUIDv7(high: 1, low: 1), sequence: UInt64(number),
                    digest: RequestDigest(of: Array("\(number)".utf8)), caller: .anyone(user: "armando"),
                    now: 1_700_000_000_000,
                    command: .add(try draft("old \(number)"), note: "note \(number)"))
            }
            _ = try rules.run(requests[...], in: db, isGuarded: false, uptime: .zero)
            try db.commit()
        }
        pool.close()
        return scratch
    }

    private static func database(_ scratch: Scratch) -> String { scratch.path + "/waymark.sqlite" }

    private static func copies(_ scratch: Scratch) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.path)
            .filter { $0.hasPrefix("waymark.sqlite.schema-") }.sorted().map { "\(scratch.path)/\($0)" }
    }

    private static func read<Value>(_ path: String, _ body: (Database) throws -> Value) throws -> Value {
        var configuration = Configuration()
        configuration.readonly = true
        let file = try DatabaseQueue(path: path, configuration: configuration)
        defer { file.close() }
        return try file.read(body)
    }

    private static func names(_ engine: SQLiteEngine) async throws -> Set<String> {
        let page = try await engine.reader.snapshot(after: nil, limit: 1_000, maxBytes: .max)
        return Set(try page.landmarks.map { try StoredLandmark(record: $0).landmark.name })
    }

    private static let all = Set((1...50).map { "old \($0)" })

    @Test func opensWithAllItsDataAfterACopyWasMade() async throws {
        let scratch = try Self.filled()
        let epoch = try Self.read(Self.database(scratch)) { db in try ReadTables(db).epoch() }
        let engine = try SQLiteEngine(directory: scratch.path, tuning: Self.upgrading, logger: .silent)
        #expect(try await Self.names(engine) == Self.all)
        #expect(engine.position.epoch == epoch && engine.position.rev == 50)
        let log = try await engine.reader.changes(since: 0, limit: 99, maxBytes: .max)
        #expect(log.changes.count == 50)
        engine.close()
        #expect(
            try Self.read(Self.database(scratch)) { db in
                (try Self.later.appliedIdentifiers(db), try Int.fetchOne(db, sql: "SELECT sum(made_up) FROM landmarks"))
            } == (Set(Self.later.migrations), 0))
        // The copy is what was there, whole, and of the old schema.
        let copies = try Self.copies(scratch)
        #expect(copies.count == 1)
        let copy = try #require(copies.first)
        #expect(copy.contains(".schema-4-people-20"))
        let migrator = SQLiteSchema.migrator()
        let (sound, applied, count, copied) = try Self.read(copy) { db in
            (
                try String.fetchOne(db, sql: "PRAGMA integrity_check"), try migrator.appliedIdentifiers(db),
                try Int.fetchOne(db, sql: "SELECT count(*) FROM landmarks"), try ReadTables(db).epoch()
            )
        }
        #expect(sound == "ok" && count == 50 && copied == epoch)
        #expect(applied == ["1 landmarks", "2 removals", "3 hooks", "4 people"])
        #expect((try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? NSNumber) == 0o600)
        // And it can be put back.
        let other = Scratch()
        _ = try DatabaseRestore.run(copy, into: other.path, force: false)
        let restored = try SQLiteEngine(directory: other.path, logger: .silent)
        #expect(try await Self.names(restored) == Self.all)
        restored.close()
    }

    @Test("a database of the first schema gets the later tables after a copy was made, and keeps its tracks")
    func removals() async throws {
        let scratch = try Self.filled()
        let file = try DatabaseQueue(path: Self.database(scratch))
        try await file.write { db in
            try db.execute(
                sql: """
                    DROP TABLE removals; DROP TABLE fences; DROP TABLE hooks; DROP TABLE hook_failures;
                    DROP TABLE grants; DROP TABLE expiries; ALTER TABLE account_keys DROP COLUMN reads;
                    DROP TABLE track_points;
                    CREATE TABLE track_points (
                        landmark INTEGER NOT NULL, rev INTEGER NOT NULL, at INTEGER NOT NULL,
                        written INTEGER NOT NULL, lat REAL NOT NULL, lng REAL NOT NULL,
                        PRIMARY KEY (landmark, rev)
                    ) STRICT, WITHOUT ROWID;
                    INSERT INTO track_points VALUES (1, 2, 7, 9, 1, 2), (1, 3, 7, 9, 3, 4), (1, 4, 5, 9, 5, 6),
                        (2, 5, 7, 9, 7, 8);
                    DELETE FROM waymark_migrations WHERE name <> '1 landmarks'
                    """)
        }
        file.close()
        let engine = try SQLiteEngine(directory: scratch.path, logger: .silent)
        #expect(try Self.copies(scratch).map { $0.contains(".schema-1-landmarks-20") } == [true])
        #expect(try await Self.names(engine) == Self.all)
        engine.close()
        #expect(
            try Self.read(Self.database(scratch)) { db in
                (
                    try SQLiteSchema.migrator().appliedIdentifiers(db),
                    try Int.fetchOne(
                        db,
                        sql: """
                            SELECT (SELECT count(*) FROM removals) + (SELECT count(*) FROM fences)
                                + (SELECT count(*) FROM hooks) + (SELECT count(*) FROM hook_failures)
                            """)
                )
            } == (["1 landmarks", "2 removals", "3 hooks", "4 people"], 0))
        // Of two points of one time the later one has stayed.
        let points = try Self.read(Self.database(scratch)) { db in
            try Int.fetchAll(db, sql: "SELECT rev FROM track_points ORDER BY landmark, at")
        }
        #expect(points == [4, 3, 5])
    }

    @Test func nothingIsCopiedWhereNothingIsMigrated() throws {
        let scratch = Scratch()
        for _ in 0..<2 {
            try SQLiteEngine(directory: scratch.path, logger: .silent).close()
            #expect(try Self.copies(scratch).isEmpty)
        }
    }

    @Test func theNewestTwoCopiesStay() throws {
        let scratch = try Self.filled()
        for time in ["20260101T000000.000Z", "20260301T000000.000Z", "20260201T000000.000Z"] {
            let path = "\(Self.database(scratch)).schema-0-none-\(time)"
            #expect(FileManager.default.createFile(atPath: path, contents: Data()))
        }
        try SQLiteEngine(directory: scratch.path, tuning: Self.upgrading, logger: .silent).close()
        let names = try Self.copies(scratch).map { ($0 as NSString).lastPathComponent }
        #expect(names.count == 2)
        #expect(names.contains("waymark.sqlite.schema-0-none-20260301T000000.000Z"))
    }

    @Test func withoutRoomForACopyItIsRefusedAndNothingHasChanged() async throws {
        let scratch = try Self.filled()
        let before = try Data(contentsOf: URL(fileURLWithPath: Self.database(scratch)))
        var tuning = Self.upgrading
        tuning.reserve = .max / 2
        let refusal = EngineError.noUpgradeBackup(
            path: Self.database(scratch), reason: "the disk has no room for it")
        #expect(throws: refusal) { try SQLiteEngine(directory: scratch.path, tuning: tuning, logger: .silent) }
        #expect("\(refusal)".contains("upgrade.backup"))
        #expect(try Self.copies(scratch).isEmpty)
        #expect(try Data(contentsOf: URL(fileURLWithPath: Self.database(scratch))) == before)
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
        #expect(!names.contains { $0.hasPrefix(DataDirectory.draftPrefix) })
        tuning.backsUpBeforeUpgrade = false
        let engine = try SQLiteEngine(directory: scratch.path, tuning: tuning, logger: .silent)
        #expect(try await Self.names(engine) == Self.all)
        #expect(try Self.copies(scratch).isEmpty)
        engine.close()
    }

    // MARK: As processes

    private static func start(_ scratch: Scratch, _ environment: [String: String] = [:]) throws -> Program {
        try Program(
            "\(Products.folder)/waymark-storage",
            ["--data", scratch.path, "--listen", "ipc://\(scratch.path)/l", "--changes", "ipc://\(scratch.path)/c"],
            environment: environment, directory: scratch.path, log: scratch.path + ".log")
    }

    private static func log(_ scratch: Scratch) throws -> String {
        try String(contentsOfFile: scratch.path + ".log", encoding: .utf8)
    }

    #if WAYMARK_FAULTS
        @Test(arguments: ["before-migration", "inside-migration"])
        func killedInTheMiddleTheNextStartFinishesIt(point: String) async throws {
            let scratch = try Self.filled()
            defer { try? FileManager.default.removeItem(atPath: scratch.path + ".log") }
            for round in 1...2 {
                let program = try Self.start(scratch, ["WAYMARK_FAILPOINTS": "next-migration=kill,\(point)=kill"])
                #expect(try await program.ended() == 128 + SIGKILL)
                #expect(try Self.copies(scratch).count == round)
            }
            let applied = try Self.read(Self.database(scratch)) { db in
                try SQLiteSchema.migrator().appliedIdentifiers(db)
            }
            #expect(applied == ["1 landmarks", "2 removals", "3 hooks", "4 people"])
            let engine = try SQLiteEngine(directory: scratch.path, tuning: Self.upgrading, logger: .silent)
            #expect(try await Self.names(engine) == Self.all)
            engine.close()
            #expect(try Self.copies(scratch).count == UpgradeBackup.kept)
        }
    #endif

    @Test func laterSchemaIsRefusedByNameAndLeftAsItIs() async throws {
        let scratch = try Self.filled()
        defer { try? FileManager.default.removeItem(atPath: scratch.path + ".log") }
        let file = try DatabaseQueue(path: Self.database(scratch))
        try await file.write { db in
            try db.execute(sql: "INSERT INTO waymark_migrations VALUES (?)", arguments: ["9 of\u{1b}[2J tomorrow"])
        }
        file.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: Self.database(scratch)))
        let program = try Self.start(scratch)
        #expect(try await program.ended() == 1)
        let told = try Self.log(scratch)
        #expect(
            told.contains(#"\"9 of[2J tomorrow\""#) && told.contains(#"\"4 people\""#) && !told.contains("\u{1b}"))
        #expect(told.split(separator: "\n").filter { $0.contains("newer release") }.count == 1)
        #expect(try Data(contentsOf: URL(fileURLWithPath: Self.database(scratch))) == before)
        #expect(try Self.copies(scratch).isEmpty)
    }

    @Test("a database from before the first release is refused with the way to keep its landmarks, and left as it is")
    func beforeTheFirstRelease() async throws {
        let scratch = try Self.filled()
        let file = try DatabaseQueue(path: Self.database(scratch))
        try await file.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
                    INSERT INTO grdb_migrations VALUES ('1 history'); DROP TABLE waymark_migrations
                    """)
        }
        file.close()
        let path = Self.database(scratch)
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let refusal = EngineError.beforeFirstRelease(path: path)
        #expect(throws: refusal) { try SQLiteEngine(directory: scratch.path, logger: .silent) }
        #expect(
            "\(refusal)".contains(#""waymark list --all -o json""#) && "\(refusal)".contains(#""waymark ingest""#))
        #expect(throws: RestoreError.beforeFirstRelease(path)) {
            try DatabaseRestore.run(path, into: Scratch().path, force: false)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(try Self.copies(scratch).isEmpty)
    }
}
