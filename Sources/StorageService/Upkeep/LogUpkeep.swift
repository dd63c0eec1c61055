// SPDX-License-Identifier: Apache-2.0

import EngineParts
import Landmarks
import Logging
import ServiceHost
import StorageRules
import SwiftProtobuf
import WaymarkProtocol
import WaymarkTransport

/// Periodic work on the engine: deletes old changes of the log and old points of tracks, removes landmarks
/// whose time has come, and rewrites owners' names.
final class LogUpkeep {
    /// The maximum number of changes deleted at once, which takes some milliseconds. A write may have to wait for it.
    private static let slice: UInt64 = 2_000
    /// The maximum number of slices that are deleted in one round, once a second. It allows more changes than are ever
    /// written in a second, but does not let a wrong clock at the start delete a year's log within a minute.
    private static let slices = 5
    /// The pause between two slices, in which other work can run.
    private static let pause = Duration.milliseconds(5)

    private let options: StorageOptions
    private let run: UUIDv7
    private let home: Home
    private let commits: CommitLoop
    /// Receives the requests that have arrived, so that the waiting writes are committed first.
    private let drain: () -> Void
    private let end: (EngineError) -> Void
    private var retention = LogRetention()
    private var sweeping = LogRetention()
    private var isUnderWay = false

    init(
        _ options: StorageOptions, run: UUIDv7, home: Home, commits: CommitLoop, _ handlers: ReadHandlers,
        drain: @escaping () -> Void, end: @escaping (EngineError) -> Void
    ) {
        (self.options, self.run, self.home, self.commits) = (options, run, home, commits)
        (self.drain, self.end) = (drain, end)
        handlers.on(.compact) { (command, _) throws(ServiceError) in
            guard case .compact(let compact) = command else { throw .unknownCommand }
            do throws(EngineError) { return try await self.compact(compact) } catch { throw error.serviceError }
        }
    }

    private var executor: EngineExecutor { commits.executor }
    private var logger: Logger { home.logger }

    func begin() {
        guard !isUnderWay else { return }
        isUnderWay = true
        home.spawn {
            await self.tend()
            self.isUnderWay = false
        }
    }

    /// Does all kinds of periodic work, one after the other. The next round begins only after this one has ended, so a
    /// slow database server has fewer rounds.
    private nonisolated(nonsending) func tend() async {
        try? await executor.perform { engine throws(EngineError) in engine.recover() }
        commits.disk.notice(executor.condition, logger)
        if executor.condition == .superseded { return end(.superseded) }
        await retain()
        await sweepTracks()
        await commitSteps(.removeExpired, "landmarks whose time has come cannot be removed") {
            tables in try tables.hasExpired(now: WallClock.milliseconds)
        }
        guard options.access != nil else { return }
        let rewrite = Command.account(.rewriteOwners(limit: Self.owners))
        await commitSteps(rewrite, "the owner of landmarks cannot be rewritten") { tables in try tables.hasOwnerTask() }
    }

    /// The maximum number of landmarks that are rewritten at once because their owner or their owner's name changed.
    private static let owners = 256

    /// The maximum number of commits of one kind in a round, so that no damage keeps a round from its end.
    private static let mostSteps = 200

    /// Commits a command of storage's own again and again, as long as there is something left to do.
    private nonisolated(nonsending) func commitSteps(
        _ command: Command, _ failure: Logger.Message,
        while isDue: @escaping @Sendable (UpkeepTables) throws -> Bool
    ) async {
        // The writer's connection is used, because waiting for a reading connection would delay the next round.
        for _ in 0..<Self.mostSteps {
            let isLeft = try? await executor.perform { engine throws(EngineError) in try engine.upkeep.isDue(isDue) }
            guard isLeft == true else { return }
            drain()
            let write = WriteRequest(
                client: run, sequence: 0, digest: RequestDigest(high: 0, low: 0), caller: .machine, deed: nil,
                now: WallClock.milliseconds, command: command)
            do throws(EngineError) {
                let reply = try await commits.commit(write)
                // A refusal would be the same again.
                if case .failure? = (try? WireReply(serializedBytes: reply))?.result { return }
            } catch { return warn(failure, error) }
            try? await Task.sleep(for: Self.pause)
        }
    }

    private nonisolated(nonsending) func sweepTracks() async {
        drain()
        let (age, now) = (options.tracks, retention.now)
        do throws(EngineError) {
            let deleted = try await executor.perform { engine throws(EngineError) in
                try engine.upkeep.sweepTracks(age: age, now: now)
            }
            commits.counters.forgottenPoints += UInt64(deleted)
            sweeping.succeeded()
        } catch {
            if sweeping.failed(error) { warn("old points of tracks cannot be deleted", error) }
        }
    }

    private nonisolated(nonsending) func retain() async {
        for _ in 0..<Self.slices {
            // Commit the waiting writes first.
            drain()
            let (floor, kept, now) = (executor.floor, options.retention, retention.now)
            do throws(EngineError) {
                moved(
                    try await executor.perform { engine throws(EngineError) in
                        try engine.upkeep.compact(to: kept, now: now, limit: Self.slice)
                    }, from: floor)
            } catch {
                if retention.failed(error) { warn("the log cannot be compacted", error) }
                return
            }
            retention.succeeded()
            guard executor.floor - floor >= Self.slice else { return }
            try? await Task.sleep(for: Self.pause)
        }
    }

    /// Deletes the changes below a revision in slices. Between two slices, handles the requests that have arrived.
    private nonisolated(nonsending) func compact(_ request: WireCompact) async throws(EngineError) -> [UInt8] {
        let head = executor.position.rev
        let below = request.below == 0 ? head : request.below
        guard below <= head else { throw .futureRevision(floor: executor.floor, head: head) }
        do throws(EngineError) {
            try await executor.index.reach(below - min(below, 1))
        } catch {
            // The changes are deleted nevertheless, because the text search can be rebuilt from the landmarks.
            logger.debug("compacting changes that the text search has not read", metadata: ["reason": "\(error)"])
        }
        while true {
            drain()
            let floor = executor.floor
            if floor < below {
                moved(
                    try await executor.perform { engine throws(EngineError) in
                        try engine.upkeep.compact(below: below, limit: Self.slice)
                    }, from: floor)
            }
            guard executor.floor > floor, executor.floor < below else {
                let (floor, head) = (executor.floor, executor.position.rev)
                return WireReply.with { $0.compacted = .with { ($0.floor, $0.head) = (floor, head) } }.encoded
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    /// Logs a warning, unless the error is that the engine was closed by a stop.
    private func warn(_ sentence: Logger.Message, _ error: EngineError) {
        if error != .closed { logger.warning(sentence, metadata: ["error": "\(error)"]) }
    }

    private func moved(_ floor: UInt64, from before: UInt64) {
        guard floor > before else { return }
        commits.counters.forgotten += floor - before
        commits.publisher.moved(floor: floor)
    }
}
