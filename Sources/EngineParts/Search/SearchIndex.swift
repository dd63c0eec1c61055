// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import Logging
import SQLite

/// Text search over names, users and notes. Its index is built from the change log, outside the commits of the log.
///
/// The index has a SQLite file of its own, so that nobody else waits for it. One connection writes to the file, and
/// several other connections search it. The file records the newest revision in the index. If the file is damaged or
/// belongs to another history, it is rebuilt from a snapshot.
package final class SearchIndex: Sendable {
    /// How long changes gather before they are added to the index, unless somebody waits for them. One transaction for
    /// many changes takes a quarter of the work of many small transactions, and leaves the machine to other work.
    private static let pause: Duration = .milliseconds(250)
    /// The minimum pause between two passes.
    private static let shortestPause: Duration = .milliseconds(25)
    private static let longestPause: Duration = .seconds(1)
    /// About how long it takes at most until a change is found, if the text search can keep up with the writes.
    private static let lag: Duration = .milliseconds(900)

    let database: DatabaseQueue
    private let patience: Duration
    private let log: any StorageReader
    private let feeder: SearchFeeder
    private let nudges: AsyncStream<Void>.Continuation
    private let feeding: Task<Void, Never>

    /// Opens the index. If the file cannot be made or written, for example because the disk is full, keeps the index in
    /// memory, because storage must work without the file. The next start tries the file again.
    ///
    /// - Parameters:
    ///   - path: the path of the file; nil keeps the index in memory.
    ///   - control: is told the newest revision in the index.
    ///   - patience: how long a search waits for a revision that is not in the index yet.
    package init(
        path: String?, position: Position, run: UUIDv7, log: any StorageReader,
        control: EngineControl = EngineControl(), patience: Duration, logger: Logger
    ) throws {
        (self.patience, self.log) = (patience, log)
        database = try Self.open(path, position, logger)
        let feeder = SearchFeeder(
            database: database, epoch: position.epoch, run: run, log: log, control: control, logger: logger)
        self.feeder = feeder
        let (stream, nudges) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.nudges = nudges
        feeding = Task(priority: .utility) {
            var isBehind = false
            for await _ in stream {
                do {
                    let time = try await ContinuousClock().measure { try await feeder.catchUp() }
                    if isBehind { logger.notice("the text search has caught up") }
                    isBehind = false
                    try await Task.sleep(for: Self.rest(after: time))
                } catch EngineError.closed {
                    return
                } catch is CancellationError {
                    return
                } catch {
                    // A failed pass does no harm, because each answer says which revision it includes. Try again even
                    // if nothing changes, because a full disk may get free space again. The failure is logged once.
                    if !isBehind { logger.warning("The text search lags behind: \(error)") }
                    isBehind = true
                    try? await Task.sleep(for: Self.longestPause)
                    nudges.yield()
                }
            }
        }
        nudge()
    }

    deinit { close() }

    /// Returns the pause after a pass. The passes take at most a third of one core, so that they do not slow down heavy
    /// writing. The pause is shorter if changes would otherwise wait too long, because a change that arrives when a
    /// pass begins has to wait for this pass, the pause and the next pass.
    static func rest(after pass: Duration) -> Duration {
        max(shortestPause, min(max(pause, pass * 2), lag - pass * 2))
    }

    /// Tells the feeder that there are new changes, without waiting for it.
    package func nudge() { nudges.yield() }

    package func close() {
        nudges.finish()
        feeding.cancel()
        database.close()
    }

    package func reached() async throws(EngineError) -> SearchProgress {
        try await read { db in try SearchProgress.read(db) }
    }

    /// Returns the landmarks that contain all the words, best match first.
    ///
    /// - Parameter revision: the revision that the index must include. The search waits some seconds for it.
    /// - Throws: ``EngineError/notYet(reached:)`` if the index does not include `revision` in time,
    ///   ``EngineError/futureRevision(floor:head:)`` if the revision does not exist yet.
    package func search(
        _ text: SearchText, limit: Int, filter: LandmarkFilter, atLeast revision: UInt64
    ) async throws(EngineError) -> SearchResult {
        if revision > 0 { try await reach(revision) }
        let found = try await read { db in
            try SearchQuery(text: text, filter: filter, limit: limit).run(db)
        }
        let matches = try await log.read { tables in
            let matches = try tables.records(found.ids)
            guard !filter.isEmpty else { return matches }
            // The index may be some revisions behind, so the landmarks' present state decides whether they match.
            return try matches.filter { filter.matches(try StoredLandmark(record: $0.record).landmark) }
        }
        return SearchResult(matches: matches, searchedThrough: found.rev, isTruncated: found.isTruncated)
    }

    /// Waits for at most some seconds until the index includes `revision`.
    ///
    /// - Throws: the same errors as ``search(_:limit:filter:atLeast:)``.
    package func reach(_ revision: UInt64) async throws(EngineError) {
        let clock = ContinuousClock()
        let end = clock.now + patience
        var progress = try await reached()
        guard progress.rev < revision else { return }
        try await log.requireRevision(revision)
        while progress.rev < revision {
            guard clock.now < end else { throw .notYet(reached: progress.rev) }
            // The joined pass may have begun before that revision was made. Then join another pass.
            try await feeder.catchUp()
            progress = try await reached()
        }
    }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(EngineError) -> Value {
        do { return try await database.read(body) } catch { throw EngineError(error) }
    }

    private static func open(
        _ path: String?, _ position: Position, _ logger: Logger
    ) throws -> DatabaseQueue {
        if let path {
            do { return try open(file: path, position, logger) } catch {
                logger.warning("The text search is kept in memory until the next start: \(EngineError(error))")
            }
        }
        return try prepared(DatabaseQueue(configuration: configuration), position)
    }

    private static func open(file path: String, _ position: Position, _ logger: Logger) throws -> DatabaseQueue {
        do {
            return try prepared(DatabaseQueue(path: path, configuration: configuration, readers: 2), position)
        } catch {
            let error = EngineError(error)
            // On a full disk the file itself is intact, so the next start can continue with it.
            guard error != .full else { throw error }
            logger.warning("The text search is being rebuilt: \(error)")
            for suffix in ["", "-wal", "-shm"] {
                // A missing file is no error.
                try? FileManager.default.removeItem(atPath: path + suffix)
            }
            return try prepared(DatabaseQueue(path: path, configuration: configuration, readers: 2), position)
        }
    }

    private static func prepared(_ database: DatabaseQueue, _ position: Position) throws -> DatabaseQueue {
        do {
            try database.write { db in
                let version = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
                let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0
                if !isEmpty, version == SearchSchema.version {
                    let progress = try SearchProgress.read(db)
                    // Otherwise the file belongs to another history, or an older copy of the database was restored.
                    if progress.epoch == position.epoch, progress.rev <= position.rev { return }
                }
                try SearchSchema.create(db, epoch: position.epoch)
            }
        } catch {
            // Close now, because closing a connection deletes its WAL by name. Closed later, it would delete the WAL of
            // the new file.
            database.close()
            throw error
        }
        return database
    }

    // The file has synchronous=NORMAL. A loss of power may lose the last transactions, but the feeder then reads their
    // changes again.
    private static let configuration = Configuration(label: "waymark.search", qos: .utility)
}
