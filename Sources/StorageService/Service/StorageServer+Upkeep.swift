// SPDX-License-Identifier: Apache-2.0

import Landmarks
import Logging
import ServiceHost
import SwiftProtobuf
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

/// Work that storage does at intervals, and the compaction of the change log.
extension StorageServer {
    static let upkeepInterval = Duration.seconds(1)
    static let filesInterval = Duration.seconds(10)
    /// The most changes that are deleted at once. That takes some milliseconds, for which a write may have to wait.
    private static let slice: UInt64 = 2_000
    /// Slices in one upkeep: more changes in a second than are ever written, and few enough that a wrong clock at the
    /// start does not delete the log of a year within a minute.
    private static let slices = 5
    /// Between two slices, for other work.
    private static let pause = Duration.milliseconds(5)

    func upkeep() {
        backups.dropUnread(now: Monotonic.milliseconds)
        replies?.server.settle()
        publisher?.settle()
        // Keys that have expired since.
        if options.access != nil { publisher?.cutOffRefused() }
        guard !isTended else { return }
        isTended = true
        Task {
            await tend()
            isTended = false
        }
    }

    /// What needs the engine, one after the other. A server that is slow makes it rarer.
    private func tend() async {
        try? await lane?.perform { engine throws(EngineError) in engine.recover() }
        guard let lane else { return }
        disk.notice(lane.condition, logger)
        if lane.condition == .superseded { return end(for: .superseded) }
        await retain()
        await sweepTracks()
        await rewriteOwners()
    }

    /// The most landmarks that get another owner or its new name at once, and the pause before the next ones.
    private static let owners = 256

    private func rewriteOwners() async {
        guard options.access != nil else { return }
        while let lane, (try? await lane.perform { engine throws(EngineError) in engine.hasOwnerTask }) == true {
            drain()
            let write = WriteRequest(
                client: run, sequence: 0, digest: RequestDigest(high: 0, low: 0), caller: .machine, deed: nil,
                now: WallClock.milliseconds, command: .account(.rewriteOwners(limit: Self.owners)))
            do throws(EngineError) { _ = try await commit(write) } catch {
                logger.warning("landmarks do not get their owner's name", metadata: ["error": "\(error)"])
                return
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    /// Logs when few file descriptors are left, and who has taken its share of the feed.
    func checkOpenFiles() {
        for number in publisher?.takeRefusals() ?? [] {
            logger.warning(
                "an account has its share of the feed's connections or topics",
                metadata: ["account": "\((try? desk.book.account(number).name) ?? "")"])
        }
        guard let news = openFiles.look(count: OpenFiles.count, limit: OpenFiles.limit) else { return }
        logger.log(level: news.isWarning ? .warning : .notice, "\(news.sentence)")
    }

    private func sweepTracks() async {
        drain()
        let (age, now) = (options.tracks, retention.now)
        do throws(EngineError) {
            let deleted = try await lane?.perform { engine throws(EngineError) in
                try engine.sweepTracks(age: age, now: now)
            }
            counters.forgottenPoints += UInt64(deleted ?? 0)
            sweeping.succeeded()
        } catch {
            if sweeping.failed(error) {
                logger.warning("old points of tracks cannot be deleted", metadata: ["error": "\(error)"])
            }
        }
    }

    private func retain() async {
        for _ in 0..<Self.slices {
            // Writes that wait come first.
            drain()
            guard let lane else { return }
            let (floor, kept, now) = (lane.floor, options.retention, retention.now)
            do throws(EngineError) {
                moved(
                    try await lane.perform { engine throws(EngineError) in
                        try engine.compact(to: kept, now: now, limit: Self.slice)
                    }, from: floor)
            } catch {
                if retention.failed(error) {
                    logger.warning("the log cannot be compacted", metadata: ["error": "\(error)"])
                }
                return
            }
            retention.succeeded()
            guard lane.floor - floor >= Self.slice else { return }
            try? await Task.sleep(for: Self.pause)
        }
    }

    /// Deletes the changes below a revision, slice by slice. Requests that arrive meanwhile are done between the slices.
    func compact(_ request: WireCompact, _ reader: any StorageReader) async throws(EngineError) -> [UInt8] {
        guard let head = lane?.position.rev else { throw .closed }
        let below = request.below == 0 ? head : request.below
        guard below <= head else { throw .futureRevision(floor: lane?.floor ?? 1, head: head) }
        do throws(EngineError) {
            try await reader.searched(through: below - min(below, 1))
        } catch {
            // The text search is then rebuilt from the landmarks.
            logger.debug("compacting changes that the text search has not read", metadata: ["reason": "\(error)"])
        }
        while true {
            drain()
            guard let lane else { throw .closed }
            let floor = lane.floor
            if floor < below {
                moved(
                    try await lane.perform { engine throws(EngineError) in
                        try engine.compact(below: below, limit: Self.slice)
                    }, from: floor)
            }
            guard lane.floor > floor, lane.floor < below else {
                let (floor, head) = (lane.floor, lane.position.rev)
                return WireReply.with {
                    $0.compacted = .with {
                        $0.floor = floor
                        $0.head = head
                    }
                }.encoded
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    private func moved(_ floor: UInt64, from before: UInt64) {
        guard floor > before else { return }
        counters.forgotten += floor - before
        publisher?.moved(floor: floor)
    }
}
