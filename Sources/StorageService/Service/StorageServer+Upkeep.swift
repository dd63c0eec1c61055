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
        engine?.recover()
        if let condition = engine?.condition { disk.notice(condition, logger) }
        replies?.server.settle()
        publisher?.settle()
        retain(slices: Self.slices)
        sweepTracks()
        rewriteOwners()
        // Keys that have expired since.
        if options.access != nil { publisher?.cutOffRefused() }
    }

    /// The most landmarks that get another owner or its new name at once, and the pause before the next ones.
    private static let owners = 256

    private func rewriteOwners() {
        guard options.access != nil, let engine, engine.hasOwnerTask, let publisher else { return }
        drain()
        let write = WriteRequest(
            client: run, sequence: 0, digest: RequestDigest(high: 0, low: 0), caller: .machine, deed: nil,
            now: WallClock.milliseconds, command: .account(.rewriteOwners(limit: Self.owners)))
        do throws(EngineError) {
            counters.count(
                try GroupCommit(engine: engine, publisher: publisher).run([write], changed: { changed($0) }) { _ in })
        } catch {
            logger.warning("landmarks do not get their owner's name", metadata: ["error": "\(error)"])
            return
        }
        loop.schedule(after: Self.pause, for: self) { $0.rewriteOwners() }
    }

    /// Logs when few file descriptors are left.
    func checkOpenFiles() {
        guard let news = openFiles.look(count: OpenFiles.count, limit: OpenFiles.limit) else { return }
        logger.log(level: news.isWarning ? .warning : .notice, "\(news.sentence)")
    }

    private func sweepTracks() {
        drain()
        do throws(EngineError) {
            let deleted = try engine?.sweepTracks(age: options.tracks, now: retention.now) ?? 0
            counters.forgottenPoints += UInt64(deleted)
            sweeping.succeeded()
        } catch {
            if sweeping.failed(error) {
                logger.warning("old points of tracks cannot be deleted", metadata: ["error": "\(error)"])
            }
        }
    }

    private func retain(slices: Int) {
        // Writes that wait come first.
        drain()
        guard slices > 0, let engine else { return }
        let floor = engine.floor
        do throws(EngineError) {
            moved(try engine.compact(to: options.retention, now: retention.now, limit: Self.slice), from: floor)
        } catch {
            if retention.failed(error) {
                logger.warning("the log cannot be compacted", metadata: ["error": "\(error)"])
            }
            return
        }
        retention.succeeded()
        guard engine.floor - floor >= Self.slice else { return }
        loop.schedule(after: Self.pause, for: self) { $0.retain(slices: slices - 1) }
    }

    /// Deletes the changes below a revision, slice by slice. Requests that arrive meanwhile are done between the slices.
    func compact(_ request: WireCompact, _ reader: any StorageReader) async throws(EngineError) -> [UInt8] {
        guard let head = engine?.position.rev else { throw .closed }
        let below = request.below == 0 ? head : request.below
        guard below <= head else { throw .futureRevision(floor: engine?.floor ?? 1, head: head) }
        do throws(EngineError) {
            try await reader.searched(through: below - min(below, 1))
        } catch {
            // The text search is then rebuilt from the landmarks.
            logger.debug("compacting changes that the text search has not read", metadata: ["reason": "\(error)"])
        }
        while true {
            drain()
            guard let engine else { throw .closed }
            let floor = engine.floor
            if floor < below { moved(try engine.compact(below: below, limit: Self.slice), from: floor) }
            guard engine.floor > floor, engine.floor < below else {
                let (floor, head) = (engine.floor, engine.position.rev)
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
