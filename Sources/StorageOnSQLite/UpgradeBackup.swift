// SPDX-License-Identifier: Apache-2.0

import EngineParts
import FoundationEssentials
import Glibc
import Logging
import SQLite

/// Makes a copy of a database next to it before an upgrade. With the copy, users can go back to the former release.
enum UpgradeBackup {
    /// The number of copies to keep. Older copies are deleted.
    static let kept = 2
    private static let infix = ".schema-"

    /// Copies the database if a migration is missing. An empty database is not copied. Must be called with the lock of
    /// the directory, before anything is changed. Only reads the database.
    ///
    /// If a start is killed during a migration, the next start makes another copy.
    ///
    /// - Parameter reserve: the number of bytes that the copy must leave free.
    /// - Throws: ``EngineError/noUpgradeBackup(path:reason:)`` if the copy cannot be made.
    static func make(
        in directory: DataDirectory, _ migrator: DatabaseMigrator, reserve: UInt64, logger: Logger
    ) throws(EngineError) {
        guard DataDirectory.size(of: directory.database) ?? 0 > 0 else { return }
        let file: String
        do {
            let database = try DatabaseQueue(path: directory.database, configuration: reading)
            defer { database.close() }
            let applied = try database.read { db in try migrator.appliedIdentifiers(db) }
            guard let newest = migrator.migrations.last(where: applied.contains),
                !applied.isSuperset(of: migrator.migrations)
            else { return }
            file = "\(directory.database)\(infix)\(slug(newest))-\(stamp())"
            let bytes = try database.read { db in try ReadTables(db).databaseBytes() }
            try DiskRoom.require(bytes + reserve, at: directory.path)
            try copy(database, to: file, in: directory, migrator, applied)
        } catch {
            let reason =
                switch EngineError(error) {
                case .full: "the disk has no room for it"
                case .io(let what), .corrupted(let what): what
                case let other: "\(other)"
                }
            throw .noUpgradeBackup(path: directory.database, reason: reason)
        }
        logger.notice("the database will be migrated; a copy of it was made", metadata: ["copy": "\(file)"])
        prune(directory, logger)
    }

    /// Writes, checks and flushes the copy before it gets its final name, so that a file with that name is complete.
    private static func copy(
        _ database: DatabaseQueue, to file: String, in directory: DataDirectory, _ migrator: DatabaseMigrator,
        _ applied: Set<String>
    ) throws {
        let draft = "\(directory.path)/\(DataDirectory.draftPrefix)\(UUID().uuidString)\(DataDirectory.draftSuffix)"
        defer { for suffix in ["", "-journal"] { unlink(draft + suffix) } }
        try DataDirectory.makePrivate(draft)
        try database.writeWithoutTransaction { db in try db.execute(sql: "VACUUM INTO ?", arguments: [draft]) }
        let made = try DatabaseQueue(path: draft, configuration: reading)
        try made.read { db in
            let found = try String.fetchOne(db, sql: "PRAGMA quick_check(1)")
            guard found == "ok", try migrator.appliedIdentifiers(db) == applied else {
                throw EngineError.corrupted("the copy is not whole")
            }
        }
        made.close()
        try DataDirectory.flush(draft)
        guard rename(draft, file) == 0 else { throw EngineError.lastFailure(file) }
        try DataDirectory.flush(directory.path)
    }

    private static let reading = Configuration(label: "waymark.upgrade", readonly: true)

    /// Returns the copies in a directory, oldest first.
    static func files(_ directory: DataDirectory) -> [String] {
        let prefix = DataDirectory.databaseName + infix
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return names.filter { $0.hasPrefix(prefix) }
            .sorted { ($0.suffix(stampLength), $0) < ($1.suffix(stampLength), $1) }
            .map { "\(directory.path)/\($0)" }
    }

    private static func prune(_ directory: DataDirectory, _ logger: Logger) {
        for file in files(directory).dropLast(kept) {
            // A copy that cannot be deleted only takes room, which is no reason to stop.
            if unlink(file) != 0 {
                logger.warning("an old upgrade copy cannot be removed", metadata: ["copy": "\(file)"])
            }
        }
    }

    /// Returns the name of a migration in a form that fits into a file name.
    private static func slug(_ migration: String) -> String {
        String(migration.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
    }

    private static let stampLength = "20260102T030405.678Z".count

    /// Returns the time in UTC in ISO 8601 format without separators, so that the names sort by time.
    private static func stamp() -> String {
        Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted, includingFractionalSeconds: true)
            .format(Date())
    }
}
