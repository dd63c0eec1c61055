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

    private static func names(_ engine: SQLiteEngine) async throws -> Set<String> {
        let page = try await engine.reader.snapshot(after: nil, limit: 1_000, maxBytes: .max)
        return Set(try page.landmarks.map { try StoredLandmark(record: $0).landmark.name })
    }

    private static let all = Set((1...50).map { "old \($0)" })

    @Test func opensWithAllItsDataAfterACopyWasMade() async throws {
        let folder = try UpgradedFolder.filled()
        let epoch = try folder.read { db in try ReadTables(db).epoch() }
        let engine = try SQLiteEngine(directory: folder.path, tuning: Self.upgrading, logger: .silent)
        #expect(try await Self.names(engine) == Self.all)
        #expect(engine.position.epoch == epoch && engine.position.rev == 50)
        let log = try await engine.reader.changes(since: 0, limit: 99, maxBytes: .max)
        #expect(log.changes.count == 50)
        engine.close()
        #expect(
            try folder.read { db in
                (try Self.later.appliedIdentifiers(db), try Int.fetchOne(db, sql: "SELECT sum(made_up) FROM landmarks"))
            } == (Set(Self.later.migrations), 0))
        // The copy is what was there, whole, and of the old schema.
        let copies = try folder.copies()
        #expect(copies.count == 1)
        let copy = try #require(copies.first)
        #expect(copy.contains(".schema-4-people-20"))
        let migrator = SQLiteSchema.migrator()
        let (sound, applied, count, copied) = try UpgradedFolder.read(copy) { db in
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
        let folder = try UpgradedFolder.filled()
        let file = try DatabaseQueue(path: folder.database)
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
        let engine = try SQLiteEngine(directory: folder.path, logger: .silent)
        #expect(try folder.copies().map { $0.contains(".schema-1-landmarks-20") } == [true])
        #expect(try await Self.names(engine) == Self.all)
        engine.close()
        #expect(
            try folder.read { db in
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
        let points = try folder.read { db in
            try Int.fetchAll(db, sql: "SELECT rev FROM track_points ORDER BY landmark, at")
        }
        #expect(points == [4, 3, 5])
    }

    @Test func nothingIsCopiedWhereNothingIsMigrated() throws {
        let folder = UpgradedFolder()
        for _ in 0..<2 {
            try SQLiteEngine(directory: folder.path, logger: .silent).close()
            #expect(try folder.copies().isEmpty)
        }
    }

    @Test func theNewestTwoCopiesStay() throws {
        let folder = try UpgradedFolder.filled()
        for time in ["20260101T000000.000Z", "20260301T000000.000Z", "20260201T000000.000Z"] {
            let path = "\(folder.database).schema-0-none-\(time)"
            #expect(FileManager.default.createFile(atPath: path, contents: Data()))
        }
        try SQLiteEngine(directory: folder.path, tuning: Self.upgrading, logger: .silent).close()
        let names = try folder.copies().map { ($0 as NSString).lastPathComponent }
        #expect(names.count == 2)
        #expect(names.contains("waymark.sqlite.schema-0-none-20260301T000000.000Z"))
    }

    @Test func withoutRoomForACopyItIsRefusedAndNothingHasChanged() async throws {
        let folder = try UpgradedFolder.filled()
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.database))
        var tuning = Self.upgrading
        tuning.reserve = .max / 2
        let refusal = EngineError.noUpgradeBackup(
            path: folder.database, reason: "the disk has no room for it")
        #expect(throws: refusal) { try SQLiteEngine(directory: folder.path, tuning: tuning, logger: .silent) }
        #expect("\(refusal)".contains("upgrade.backup"))
        #expect(try folder.copies().isEmpty)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database)) == before)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!names.contains { $0.hasPrefix(DataDirectory.draftPrefix) })
        tuning.backsUpBeforeUpgrade = false
        let engine = try SQLiteEngine(directory: folder.path, tuning: tuning, logger: .silent)
        #expect(try await Self.names(engine) == Self.all)
        #expect(try folder.copies().isEmpty)
        engine.close()
    }

    #if WAYMARK_FAULTS
        @Test(arguments: ["before-migration", "inside-migration"])
        func killedInTheMiddleTheNextStartFinishesIt(point: String) async throws {
            let folder = try UpgradedFolder.filled()
            defer { try? FileManager.default.removeItem(atPath: folder.path + ".log") }
            for round in 1...2 {
                let program = try folder.start(["WAYMARK_FAILPOINTS": "next-migration=kill,\(point)=kill"])
                #expect(try await program.ended() == 128 + SIGKILL)
                #expect(try folder.copies().count == round)
            }
            let applied = try folder.read { db in
                try SQLiteSchema.migrator().appliedIdentifiers(db)
            }
            #expect(applied == ["1 landmarks", "2 removals", "3 hooks", "4 people"])
            let engine = try SQLiteEngine(directory: folder.path, tuning: Self.upgrading, logger: .silent)
            #expect(try await Self.names(engine) == Self.all)
            engine.close()
            #expect(try folder.copies().count == UpgradeBackup.kept)
        }
    #endif
}
