// SPDX-License-Identifier: Apache-2.0

import EngineParts
import FoundationEssentials
import Logging
import PostgreSQL
import SQLite
public import Settings
import StorageOnPostgreSQL
import StorageOnSQLite

/// A database to copy, in a data directory or at a URL of PostgreSQL. Nobody else may use it during the copy.
public enum TransferPlace: Sendable {
    case directory(String)
    case server(String)

    /// The database of a storage service with these settings.
    public init(_ settings: Settings, environment: [String: String]) {
        let engine = settings.string("engine")
        self =
            engine == "sqlite"
            ? .directory(settings.optionalString("data") ?? StandardLocations.dataDirectory(environment))
            : .server(engine)
    }

    /// - Parameters:
    ///   - text: a URL, or a path.
    ///   - flag: the command-line flag that gave the text, for the error.
    /// - Throws: an error of one sentence if the URL has a password.
    public init(_ text: String, of flag: String) throws {
        try EngineSetting.check(text, of: flag)
        let isURL = text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
        self = isURL ? .server(text) : .directory(text)
    }

    /// Copies a database to an empty database, or resumes an interrupted copy. Blocks until the copy is complete.
    ///
    /// - Throws: an error whose description is one sentence that says what to do.
    public static func copy(
        from source: TransferPlace, to target: TransferPlace, progress: (_ table: String, _ rows: Int) -> Void
    ) throws -> DatabaseTransfer.Report {
        do {
            return try source.reading { rows in
                try target.writing { target in try DatabaseTransfer(source: rows, target: target).run(progress) }
            }
        } catch let error as any DatabaseFailure {
            guard case .corrupted = error.engineError else { throw error }
            throw error.engineError
        }
    }

    private func reading<Value>(_ body: (CopiedRows) throws -> Value) throws -> Value {
        switch self {
        case .directory(let path):
            guard FileManager.default.fileExists(atPath: "\(path)/\(DataDirectory.databaseName)") else {
                throw TransferError.noSource(path)
            }
            let directory = try DataDirectory(path: path)
            let queue = try DatabaseQueue(path: directory.database)
            defer { queue.close() }
            // The source is upgraded first, so that it has all columns.
            guard try queue.read({ db in try SQLiteEngine.isOurs(db, path: directory.database) }) else {
                throw TransferError.noSource(path)
            }
            try SQLiteSchema.migrator().migrate(queue)
            return try queue.writeWithoutTransaction { db in try body(CopiedRows(db)) }
        case .server(let text):
            let connection = try opened(text)
            defer { connection.close() }
            let place = "\(try ConnectionURL(text))"
            let tables = "SELECT to_regclass('history') IS NOT NULL AND to_regclass('waymark_migrations') IS NOT NULL"
            guard try connection.execute(tables).first?.bool(0) == true else { throw TransferError.noSource(place) }
            _ = try PostgreSQLSchema.applied(connection, place: place)
            guard try connection.execute("SELECT 1 FROM history").count == 1 else {
                throw TransferError.noSource(place)
            }
            return try connection.reading { try body(CopiedRows(connection)) }
        }
    }

    private func writing<Value>(_ body: (CopiedRows) throws -> Value) throws -> Value {
        switch self {
        case .directory(let path):
            let directory = try DataDirectory(path: path)
            guard !FileManager.default.fileExists(atPath: directory.database) else { throw TransferError.notEmpty }
            // The copy has another file name until it is complete, so that no storage opens an incomplete copy.
            let draft = directory.database + ".copied"
            if !FileManager.default.fileExists(atPath: draft) { try DataDirectory.makePrivate(draft) }
            let queue = try DatabaseQueue(path: draft)
            try SQLiteSchema.migrator().migrate(queue)
            let value = try queue.writeWithoutTransaction { db in try body(CopiedRows(db)) }
            queue.close()
            try DataDirectory.flush(draft)
            try FileManager.default.moveItem(atPath: draft, toPath: directory.database)
            try DataDirectory.flush(path)
            return value
        case .server(let text):
            let connection = try opened(text)
            defer { connection.close() }
            try ServerCheck.run(connection, logger: Logger(label: "copy") { _ in SwiftLogNoOpLogHandler() })
            try PostgreSQLSchema.migrate(connection, place: "\(try ConnectionURL(text))")
            guard try connection.execute("SELECT 1 FROM history").count == 0 else { throw TransferError.notEmpty }
            return try body(CopiedRows(connection))
        }
    }

    /// Opens a connection that holds the lock of the single writer.
    private func opened(_ text: String) throws -> Connection {
        let server = try EngineSetting.server(text)
        let connection = try server.connectAlone()
        guard let connection else { throw TransferError.inUse("\(server.url)") }
        // Counting the rows of whole tables takes long.
        connection.answerTimeout = .seconds(600)
        return connection
    }
}
