// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization
import TestTurns
import Testing

@testable import SQLite

@Suite("Databases that many use", .inShortTurn)
struct DatabasePoolTests {
    private static func pool(_ folder: DatabaseFolder, readers: Int = 4) throws -> DatabaseQueue {
        let pool = try DatabaseQueue(path: folder.file, readers: readers)
        try pool.write { db in try db.execute(sql: "CREATE TABLE t (k INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)") }
        return pool
    }

    private static func count(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM t") ?? -1
    }

    @Test("a read sees one state while others are committed, and the next read the new one")
    func snapshot() async throws {
        let folder = try DatabaseFolder()
        let pool = try Self.pool(folder)
        let (before, after) = try await pool.read { db in
            let before = try Self.count(db)
            try pool.write { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
            return (before, try Self.count(db))
        }
        #expect(before == 1 && after == 1)
        #expect(try await pool.read { db in try Self.count(db) } == 2)
        pool.close()
    }

    @Test("the first read of a file that was left in order, before anything is written")
    func firstRead() async throws {
        let folder = try DatabaseFolder()
        try Self.pool(folder).close()
        #expect(!FileManager.default.fileExists(atPath: folder.file + "-wal"))
        let pool = try DatabaseQueue(path: folder.file, readers: 5)
        #expect(try await pool.read { db in try Self.count(db) } == 1)
        let error = await #expect(throws: DatabaseError.self) {
            try await pool.read { db in try db.execute(sql: "PRAGMA query_only = 0; DELETE FROM t") }
        }
        #expect(error?.resultCode == .readOnly)
        pool.close()
    }

    /// The remains of a kill: the file and its log, without the index.
    private static func killed() throws -> DatabaseFolder {
        let folder = try DatabaseFolder()
        let pool = try Self.pool(folder)
        let copy = try DatabaseFolder()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: folder.file + suffix, toPath: copy.file + suffix)
        }
        pool.close()
        return copy
    }

    @Test("a connection that is alone keeps the index of the log in memory, and others of the process share it")
    func alone() throws {
        let copy = try Self.killed()
        let writer = try Database(path: copy.file, Configuration(), alone: true)
        #expect(try Self.count(writer) == 1)
        var reading = Configuration()
        reading.readonly = true
        let reader = try Database(path: copy.file, reading)
        try writer.execute(sql: "INSERT INTO t VALUES (2)")
        #expect(try Self.count(reader) == 2)
        #expect(!FileManager.default.fileExists(atPath: copy.file + "-shm"))
        reader.close()
        writer.close()
        // A missing file is not created.
        #expect(throws: DatabaseError.self) { try Database(path: copy.path + "/none", Configuration(), alone: true) }
    }

    @Test("one that is alone and only reads leaves the log as it is")
    func aloneReading() throws {
        let copy = try Self.killed()
        let files = try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: copy.file + $0)) }
        var reading = Configuration()
        reading.readonly = true
        let reader = try Database(path: copy.file, reading, alone: true)
        #expect(try Self.count(reader) == 1)
        reader.close()
        #expect(try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: copy.file + $0)) } == files)
    }

    @Test("more reads than readers wait for their turn, and all are done")
    func manyReads() async throws {
        let folder = try DatabaseFolder()
        let pool = try Self.pool(folder, readers: 2)
        let inside = Crowd()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await pool.read { db in
                        inside.enter()
                        defer { inside.leave() }
                        // So long that others come meanwhile.
                        usleep(2_000)
                        return try Self.count(db)
                    }
                }
            }
            for try await count in group { #expect(count == 1) }
        }
        #expect(inside.most <= 2)
        pool.close()
    }

    @Test("closing waits for the reads that are under way and waiting, and refuses what comes later")
    func closing() async throws {
        let folder = try DatabaseFolder()
        let pool = try Self.pool(folder, readers: 1)
        let (isInside, mayLeave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isClosed = Flag()
        let first = Task {
            try await pool.read { db in
                isInside.signal()
                mayLeave.wait()
                #expect(!isClosed.isSet)
                return try Self.count(db)
            }
        }
        await Self.offPool { isInside.wait() }
        // Runs as far as it can at once: from now on it waits for the only reader.
        let second = Task.immediate { try await pool.read { db in try Self.count(db) } }
        async let closed: Void = Self.offPool {
            pool.close()
            isClosed.set()
        }
        // Closing has begun when something is refused.
        async let refused: Void = Self.offPool {
            while (try? pool.writeWithoutTransaction { _ in }) != nil {}
            mayLeave.signal()
        }
        #expect(try await first.value == 1)
        #expect(try await second.value == 1)
        _ = await (closed, refused)
        await #expect(throws: DatabaseError.closed) { try await pool.read { db in try Self.count(db) } }
        #expect(throws: DatabaseError.closed) { try pool.write { _ in } }
        await #expect(throws: DatabaseError.closed) { try await pool.write { _ in } }
        pool.close()
    }

    @Test("an interrupt ends the statement that runs, and nothing else")
    func interrupt() async throws {
        let queue = try DatabaseQueue()
        let isInside = DispatchSemaphore(value: 0)
        async let endless = Self.code {
            try await queue.writeWithoutTransaction { db in
                isInside.signal()
                try db.execute(
                    sql: "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n")
            }
        }
        await Self.offPool { isInside.wait() }
        // It may not have begun yet: so again until it has ended.
        let isOver = Flag()
        async let interrupting: Void = Self.offPool {
            try? blockUntil("the statement has ended") {
                queue.interrupt()
                return isOver.isSet
            }
        }
        #expect(await endless == .interrupted)
        isOver.set()
        await interrupting
        #expect(try await queue.read { db in try Int.fetchOne(db, sql: "SELECT 1") } == 1)
        queue.close()
        queue.interrupt()
    }

    /// What blocks, on a thread of its own.
    private static func offPool(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                body()
                continuation.resume()
            }
        }
    }

    /// What SQLite ended it with; nil when nothing went wrong.
    private static func code(_ body: () async throws -> Void) async -> ResultCode? {
        do { try await body() } catch { return (error as? DatabaseError)?.resultCode }
        return nil
    }
}

private final class Flag: Sendable {
    private let value = Mutex(false)

    var isSet: Bool { value.withLock { $0 } }

    func set() { value.withLock { $0 = true } }
}

/// How many are inside, and were at once.
private final class Crowd: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }

    func enter() { counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) } }

    func leave() { counts.withLock { $0.now -= 1 } }
}
