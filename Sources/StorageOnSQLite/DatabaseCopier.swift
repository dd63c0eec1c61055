// SPDX-License-Identifier: Apache-2.0

import Dispatch
import EngineParts
import FoundationEssentials
import Glibc
import SQLite
import Synchronization

/// Makes consistent copies of the database while others read and write it.
final class DatabaseCopier: DatabaseCopying {
    private struct Work {
        var isClosed = false
        var connection: DatabaseQueue?
    }

    private let database: DatabaseQueue
    /// The path of the database; nil if the database is in memory.
    private let path: String?
    private let folder: String
    private let reserve: UInt64
    private let work = Mutex(Work())

    /// - Parameter reserve: the number of bytes that a copy must leave free on the disk.
    init(database: DatabaseQueue, directory: DataDirectory?, reserve: UInt64 = 0) {
        (self.database, self.reserve) = (database, reserve)
        path = directory?.database
        folder = directory?.path ?? FileManager.default.temporaryDirectory.path
    }

    /// Makes one copy, which has the state of one revision. It uses a read-only connection of its own, so writes
    /// continue, and the write-ahead log grows. (A database in memory has only one connection, so writes wait.)
    ///
    /// - Throws: ``EngineError/full`` if there is no room for the copy or the disk is full; ``EngineError/closed``.
    func copy() async throws(EngineError) -> DatabaseCopy {
        let file = "\(folder)/\(DataDirectory.draftPrefix)\(UUID().uuidString)\(DataDirectory.draftSuffix)"
        // SQLite accepts an empty file. Making it here keeps other users from reading it.
        try DataDirectory.makePrivate(file)
        defer { for suffix in ["", "-journal"] { unlink(file + suffix) } }
        return try await run {
            try self.vacuum(into: file)
            let queue = try DatabaseQueue(path: file, configuration: Self.reading)
            let position = try queue.read { db in try ReadTables(db).position() }
            queue.close()
            return try DatabaseCopy(path: file, position: position)
        }
    }

    /// Interrupts a copy in progress.
    func close() {
        work.withLock { work in
            work.isClosed = true
            work.connection?.interrupt()
        }
    }

    private func vacuum(into file: String) throws {
        guard let path else {
            return try database.writeWithoutTransaction { db in
                try db.execute(sql: "VACUUM INTO ?", arguments: [file])
            }
        }
        let queue = try DatabaseQueue(path: path, configuration: Self.reading)
        try work.withLock { work in
            guard !work.isClosed else { throw EngineError.closed }
            work.connection = queue
        }
        defer { work.withLock { $0.connection = nil } }
        do {
            try queue.writeWithoutTransaction { db in
                // Refuse the copy instead of filling up the disk, because writes need the room.
                try DiskRoom.require(ReadTables(db).databaseBytes() + reserve, at: folder)
                try db.execute(sql: "VACUUM INTO ?", arguments: [file])
            }
        } catch let error as DatabaseError where error.resultCode == .interrupted {
            throw EngineError.closed
        }
        queue.close()
    }

    private static let reading = Configuration(label: "waymark.copy", readonly: true, qos: .utility)

    /// Runs `body` on a thread that may be blocked for long.
    private func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws(EngineError) -> Value {
        let result: Result<Value, any Error> = await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async { continuation.resume(returning: Result { try body() }) }
        }
        return try result.mapError { EngineError($0) }.get()
    }
}
