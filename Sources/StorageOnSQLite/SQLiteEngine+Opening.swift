// SPDX-License-Identifier: Apache-2.0

import CSQLite
import EngineParts
import Landmarks
import Logging
import SQLite
import Support

extension SQLiteEngine {
    /// Opens the database in a data directory, and creates what is missing. On a full disk, opens an existing database
    /// for reads. Writes are accepted when there is room.
    ///
    /// - Parameter run: a new id for each call.
    ///
    /// - Throws: ``EngineError/unusableDirectory(path:reason:)``, ``EngineError/locked(directory:pid:)``,
    ///   ``EngineError/newerSchema(path:found:known:)``, ``EngineError/noUpgradeBackup(path:reason:)``,
    ///   ``EngineError/foreignFile(path:)``, ``EngineError/corrupted(_:)``, ``EngineError/noRoom(place:)``,
    ///   ``EngineError/io(_:)``.
    package convenience init(
        directory path: String, run: UUIDv7 = .new(), tuning: EngineTuning = EngineTuning(), logger: Logger
    ) throws(EngineError) {
        Self.keepNoMemoryStatistics
        let directory = try DataDirectory(path: path)
        do {
            try DatabaseRestore.finish(directory)
            // Check before the database is opened for writing, so that a file of another program stays unchanged.
            try Self.inspect(directory.database, tuning.migrator, whole: !directory.wasLeftInOrder)
            if tuning.backsUpBeforeUpgrade {
                try UpgradeBackup.make(in: directory, tuning.migrator, reserve: tuning.reserve, logger: logger)
            }
            let pool = try DatabaseQueue(path: directory.database, configuration: Self.configuration, readers: 4)
            // Making the pool sets NORMAL, with which a loss of power may lose acknowledged commits. FULL overrides it.
            try pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
                try db.execute(sql: "PRAGMA wal_autocheckpoint = \(Self.checkpointPages)")
                try db.execute(sql: "PRAGMA journal_size_limit = \(Self.walBytesKept)")
                try db.execute(sql: "PRAGMA cache_size = -\(Self.cacheKibibytes)")
            }
            Failpoint.hit(.beforeMigration)
            try tuning.migrator.migrate(pool)
            try self.init(writer: pool, directory: directory, run: run, tuning: tuning, logger: logger)
        } catch {
            let error = EngineError(error)
            // A new database, a migration or a restored backup must be written before anything can be read.
            throw error == .full ? EngineError.noRoom(place: path) : error
        }
    }

    /// Makes an engine with a database in memory, which ends with the engine.
    package static func inMemory(
        run: UUIDv7 = .new(), tuning: EngineTuning = EngineTuning(), logger: Logger
    ) throws(EngineError) -> SQLiteEngine {
        do {
            let queue = try DatabaseQueue(configuration: configuration)
            try tuning.migrator.migrate(queue)
            return try SQLiteEngine(writer: queue, directory: nil, run: run, tuning: tuning, logger: logger)
        } catch {
            throw EngineError(error)
        }
    }

    /// The number of pages in the write-ahead log at which a checkpoint starts. A checkpoint writes each page only
    /// once, however often the page changed. So rarer checkpoints write less in total, but each takes longer.
    private static let checkpointPages = 4_000
    private static let walBytesKept = 64 * 1024 * 1024
    private static let cacheKibibytes = 32 * 1024

    /// Turns off SQLite's memory statistics, which nobody reads. They need a lock of the whole process, for which the
    /// writer and the text search would wait with every row. They can be turned off only before the first connection is
    /// opened. Later, SQLite refuses and keeps the statistics.
    private static let keepNoMemoryStatistics: Void = { _ = waymark_sqlite_keep_no_memory_statistics() }()

    private static let configuration = Configuration(label: "waymark")

    /// - Parameter whole: whether to check the whole file for damage.
    /// - Throws: an error if the file exists and this release cannot use it.
    private static func inspect(_ path: String, _ migrator: DatabaseMigrator, whole: Bool) throws {
        if DataDirectory.isNoFile(path) { throw EngineError.foreignFile(path: path) }
        guard DataDirectory.size(of: path) ?? 0 > 0 else { return }
        let file = try DatabaseQueue(path: path, configuration: Configuration(readonly: true))
        defer { file.close() }
        try file.read { db in
            guard try isOurs(db, path: path, migrator), whole else { return }
            let first = try String.fetchOne(db, sql: "PRAGMA quick_check(1)")
            // SQLite's answer has several lines, but the error must be one sentence.
            let found = first?.split(separator: "\n").joined(separator: " ")
            guard first == "ok" else { throw EngineError.corrupted(found ?? "quick_check gave no answer") }
        }
    }

    /// Whether this is a Waymark database that this release can use. False if nothing was ever written, because the
    /// first process ended before its first migration was committed. The migrator makes its own table in an earlier
    /// transaction, so that table may exist.
    ///
    /// - Throws: ``EngineError/foreignFile(path:)``, ``EngineError/beforeFirstRelease(path:)``,
    ///   ``EngineError/newerSchema(path:found:known:)``.
    package static func isOurs(
        _ db: Database, path: String, _ migrator: DatabaseMigrator = SQLiteSchema.migrator()
    ) throws -> Bool {
        let application = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let isEmpty =
            try Int.fetchOne(
                db, sql: "SELECT count(*) FROM sqlite_master WHERE tbl_name <> '\(DatabaseMigrator.table)'") == 0
        let applied = try migrator.appliedIdentifiers(db)
        if isEmpty, application == 0, applied.isEmpty { return false }
        guard application == SQLiteSchema.applicationID else { throw EngineError.foreignFile(path: path) }
        // Programs from before 0.1.0 wrote the same application id, but their table of migrations had another name.
        guard !applied.isEmpty else { throw EngineError.beforeFirstRelease(path: path) }
        if let newer = EngineError(applied: applied, known: migrator.migrations, path: path) { throw newer }
        return true
    }
}
