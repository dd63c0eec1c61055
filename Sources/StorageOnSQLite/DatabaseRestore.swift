// SPDX-License-Identifier: Apache-2.0

import EngineParts
import FoundationEssentials
import Glibc
public import Landmarks
import SQLite

/// Replaces the database of a data directory with a backup, while no storage uses the directory.
///
/// The restored database begins a history with a new epoch. Readers of the old history notice the new epoch, and start
/// again from a snapshot.
///
/// A crash leaves either the old or the new database. All work is done on a copy next to the old database. The last
/// step is a rename to `waymark.sqlite.new`, after which the new database counts. The next process that opens the
/// directory moves the old database and its write-ahead log aside, and then moves the new database to its place. (If
/// the old log stayed, SQLite would take it for the log of the new database.)
public enum DatabaseRestore {
    /// The result of a restore.
    public struct Restored: Hashable, Sendable {
        public var position: Position
        public var bytes: UInt64
        /// The path to which the old database was moved; nil if there was none.
        public var kept: String?
    }

    /// - Parameters:
    ///   - file: a backup, or a database that was copied by hand, with its `-wal` file next to it.
    ///   - force: whether to replace an existing database. The old database is then kept next to the new one.
    /// - Throws: one of ``RestoreError``. Then nothing has changed, with one exception: if the disk fails between the
    ///   last two renames, the next start of storage moves the new database to its place.
    public static func run(_ file: String, into directory: String, force: Bool) throws(RestoreError) -> Restored {
        guard let header = start(of: file, bytes: 16) else { throw .unreadable(file) }
        guard header == Array("SQLite format 3\0".utf8) else { throw .notWaymark(file) }
        do {
            let directory = try DataDirectory(path: directory)
            try finish(directory)
            if !force, FileManager.default.fileExists(atPath: directory.database) {
                throw RestoreError.exists(directory.database)
            }
            let draft = "\(directory.path)/\(DataDirectory.draftPrefix)\(UUID().uuidString)\(DataDirectory.draftSuffix)"
            defer { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(draft + suffix) } }
            let position = try prepare(file, as: draft)
            let bytes = DataDirectory.size(of: draft) ?? 0
            tidy(directory.database)
            let kept = FileManager.default.fileExists(atPath: directory.database)
            guard rename(draft, directory.restored) == 0 else { throw EngineError.lastFailure(directory.restored) }
            let before: String?
            do {
                try DataDirectory.flush(directory.path)
                before = try finish(directory)
            } catch {
                // The restore is undone if the old database still has its name, or if there was no old database.
                if !kept || FileManager.default.fileExists(atPath: directory.database) { unlink(directory.restored) }
                throw error
            }
            return Restored(position: position, bytes: bytes, kept: kept ? before : nil)
        } catch {
            throw RestoreError(error, file)
        }
    }

    /// Moves a restored database to its place, if there is one. An interrupted attempt may have done some steps.
    ///
    /// - Returns: the path to which the old database was moved; nil if there was no restored database.
    @discardableResult
    static func finish(_ directory: DataDirectory) throws(EngineError) -> String? {
        var status = stat()
        guard stat(directory.restored, &status) == 0 else { return nil }
        // The file's modification time is the same in each attempt, and so is the new name of the old database.
        let time = Int64(status.st_mtim.tv_sec) * 1_000 + Int64(status.st_mtim.tv_nsec) / 1_000_000
        let before = "\(directory.database).before-\(time)"
        for suffix in ["", "-wal"] {
            guard rename(directory.database + suffix, before + suffix) == 0 || errno == ENOENT else {
                throw .lastFailure(before)
            }
        }
        for name in [directory.database + "-shm"] + ["", "-wal", "-shm"].map({ directory.search + $0 }) {
            guard unlink(name) == 0 || errno == ENOENT else { throw .lastFailure(name) }
        }
        // Flush before the new database gets the name to which the old write-ahead log belonged.
        try DataDirectory.flush(directory.path)
        guard rename(directory.restored, directory.database) == 0 else { throw .lastFailure(directory.database) }
        try DataDirectory.flush(directory.path)
        return before
    }

    /// Makes a copy of `file`, checks it, gives it a new epoch and flushes it to the disk.
    private static func prepare(_ file: String, as draft: String) throws -> Position {
        try FileManager.default.copyItem(atPath: file, toPath: draft)
        let hasLog = FileManager.default.fileExists(atPath: file + "-wal")
        if hasLog {
            try FileManager.default.copyItem(atPath: file + "-wal", toPath: draft + "-wal")
        }
        guard chmod(draft, 0o600) == 0 else { throw EngineError.lastFailure(draft) }
        let queue = try DatabaseQueue(path: draft)
        try queue.writeWithoutTransaction { db in
            guard try SQLiteEngine.isOurs(db, path: file) else { throw EngineError.foreignFile(path: file) }
            // SQLite reads missing bytes at the end of the last page as zeros, so the integrity check may not notice
            // them.
            guard try hasLog || DataDirectory.size(of: draft) == ReadTables(db).databaseBytes() else {
                throw EngineError.corrupted("it ends too early")
            }
            let found = try String.fetchOne(db, sql: "PRAGMA integrity_check(1)")
            guard found == "ok" else { throw EngineError.corrupted(found ?? "integrity_check gave no answer") }
            // The copy becomes a single file without a write-ahead log.
            try db.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL")
        }
        try SQLiteSchema.migrator().migrate(queue)
        let epoch = UUIDv7.new()
        let rev = try queue.write { db in
            try db.write("UPDATE history SET epoch_high = $1, epoch_low = $2", [.bits(epoch.high), .bits(epoch.low)])
            try db.execute(sql: "DELETE FROM runs")
            guard try ReadTables(db).epoch() == epoch else { throw EngineError.corrupted("it has no epoch") }
            return try ReadTables(db).head().rev
        }
        queue.close()
        try DataDirectory.flush(draft)
        return Position(epoch: epoch, rev: rev)
    }

    /// Returns the first `bytes` bytes of a file, or all bytes of a shorter file; nil if the file cannot be read.
    private static func start(of file: String, bytes: Int) -> [UInt8]? {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var start = [UInt8](repeating: 0, count: bytes)
        let count = pread(descriptor, &start, bytes, 0)
        return count < 0 ? nil : Array(start.prefix(count))
    }

    /// Moves the content of the old database's write-ahead log to the database file, so that only one file is kept.
    /// Errors are ignored, because the old database may be damaged. Then its log is kept next to it.
    private static func tidy(_ database: String) {
        guard FileManager.default.fileExists(atPath: database), let queue = try? DatabaseQueue(path: database) else {
            return
        }
        try? queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = DELETE") }
        queue.close()
    }
}
