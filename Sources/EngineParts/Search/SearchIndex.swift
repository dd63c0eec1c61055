// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import Logging
import SQLite

/// Text search over names, users and notes: derived from the change log, outside of its commits.
///
/// It has a SQLite file of its own, so nobody else waits for it, and in it connections that search beside the one that
/// adds. It knows the revision that it has reached. If anything is wrong with the file, another history included, it is
/// rebuilt from a snapshot.
package final class SearchIndex: Sendable {
    /// How long changes gather before they are added, if nobody waits for them. One transaction for many changes takes a
    /// quarter of the work that small ones take, and leaves the machine to other work.
    private static let pause: Duration = .milliseconds(250)
    /// The shortest pause between two passes.
    private static let shortestPause: Duration = .milliseconds(25)
    private static let longestPause: Duration = .seconds(1)
    /// A change is found within about this time, if the text search can keep up.
    private static let lag: Duration = .milliseconds(900)

    let database: DatabaseQueue
    private let patience: Duration
    private let log: any StorageReader
    private let feeder: SearchFeeder
    package let progress: SearchReach
    private let nudges: AsyncStream<Void>.Continuation
    private let feeding: Task<Void, Never>

    /// Opens the index, in memory if the file cannot be made or written, as on a full disk: storage must work without it. The
    /// next start tries the file again.
    ///
    /// - Parameters:
    ///   - path: nil keeps it in memory.
    ///   - progress: gets the revision that the index has reached.
    ///   - patience: how long a search waits for a revision that has not been added yet.
    package init(
        path: String?, position: Position, run: UUIDv7, log: any StorageReader, progress: SearchReach = SearchReach(),
        patience: Duration, logger: Logger
    ) throws {
        (self.patience, self.log, self.progress) = (patience, log, progress)
        database = try Self.open(path, position, logger)
        let feeder = SearchFeeder(
            database: database, epoch: position.epoch, run: run, log: log, reach: progress, logger: logger)
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
                    // Answers name the revision that they include. It tries again without a nudge, because a full disk may
                    // get room again without any change. Logged once.
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

    /// The pause after a pass. Passes then take at most a third of one core, so that they do not slow down many writes. The
    /// pause is shorter if changes would otherwise wait too long: a change that arrives as a pass begins waits for that
    /// pass, the pause and the next pass.
    static func rest(after pass: Duration) -> Duration {
        max(shortestPause, min(max(pause, pass * 2), lag - pass * 2))
    }

    /// Announces new changes. Does not wait.
    package func nudge() { nudges.yield() }

    package func close() {
        nudges.finish()
        feeding.cancel()
        database.close()
    }

    package func reached() async throws(EngineError) -> SearchProgress {
        try await read { db in try SearchProgress.read(db) }
    }

    /// The landmarks that contain all the words, best match first.
    ///
    /// - Parameter revision: the revision that the search must include. It waits for that, some seconds at most.
    /// - Throws: ``EngineError/notYet(reached:)`` if it does not reach `revision` soon,
    ///   ``EngineError/futureRevision(floor:head:)`` if there is no such revision.
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
            // Matches are filtered by their present state, because the index may be some revisions behind.
            return try matches.filter { filter.matches(try StoredLandmark(record: $0.record).landmark) }
        }
        return SearchResult(matches: matches, searchedThrough: found.rev, isTruncated: found.isTruncated)
    }

    /// Waits, some seconds at most, until it has reached `revision`.
    ///
    /// - Throws: as ``search(_:limit:filter:atLeast:)``.
    package func reach(_ revision: UInt64) async throws(EngineError) {
        let clock = ContinuousClock()
        let end = clock.now + patience
        var progress = try await reached()
        guard progress.rev < revision else { return }
        try await log.requireRevision(revision)
        while progress.rev < revision {
            guard clock.now < end else { throw .notYet(reached: progress.rev) }
            // The pass that it joins may have begun before that revision. Then another pass follows.
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
            // Nothing is wrong with the file: the next start can go on with it.
            guard error != .full else { throw error }
            logger.warning("The text search is built anew: \(error)")
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
                    // Otherwise the history is another one, or an older copy of the database was restored.
                    if progress.epoch == position.epoch, progress.rev <= position.rev { return }
                }
                try SearchSchema.create(db, epoch: position.epoch)
            }
        } catch {
            // A connection that closes later deletes the WAL by its name: then the one of the file that is made anew.
            database.close()
            throw error
        }
        return database
    }

    // Its file has synchronous=NORMAL: a loss of power costs it its last transactions, and it reads those again.
    private static let configuration = Configuration(label: "waymark.search", qos: .utility)
}
