// SPDX-License-Identifier: Apache-2.0

import Landmarks
import Logging
import ServiceHost
import SwiftProtobuf
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

/// What storage forgets in the course of time.
extension StorageServer {
    /// How often it looks.
    static let upkeepPause = Duration.seconds(1)
    /// Changes forgotten at once: some milliseconds, for which a write may have to wait.
    private static let slice: UInt64 = 2_000
    /// Slices of one look: more in a second than are ever written, and few enough that the log of a year is not gone
    /// in a minute for a clock that was wrong at the start.
    private static let slices = 5
    /// Between two slices.
    private static let breath = Duration.milliseconds(5)

    func upkeep() {
        backups.dropUnread(now: Monotonic.milliseconds)
        engine?.recover()
        noticeCondition()
        server?.settle()
        publisher?.settle()
        retain(slices: Self.slices)
    }

    private func retain(slices: Int) {
        // What waits to be written comes first.
        drain()
        guard slices > 0, let engine else { return }
        let floor = engine.floor
        do throws(EngineError) {
            let now = evenClock.now(wall: WallClock.milliseconds, monotonic: Monotonic.milliseconds)
            moved(try engine.compact(to: options.retention, now: now, limit: Self.slice), from: floor)
        } catch {
            if compactionFailure != error {
                logger.warning("the log cannot be compacted", metadata: ["error": "\(error)"])
            }
            compactionFailure = error
            return
        }
        compactionFailure = nil
        guard engine.floor - floor >= Self.slice else { return }
        loop.schedule(after: Self.breath, for: self) { $0.retain(slices: slices - 1) }
    }

    /// Tells when few file descriptors are left.
    func lookAtFiles() {
        guard let news = openFiles.look(count: OpenFiles.count, limit: OpenFiles.limit) else { return }
        logger.log(level: news.isWarning ? .warning : .notice, "\(news.sentence)")
    }

    /// Tells when writing stops and when it goes on: once each, however many are refused between.
    func noticeCondition() {
        guard let condition = engine?.condition, condition.name != lastCondition else { return }
        if let problem = condition.problem {
            logger.error("writes are refused", metadata: ["disk": "\(condition.name)", "reason": "\(problem)"])
        } else {
            commitTrouble = nil
            logger.notice("writes go on", metadata: ["was": "\(lastCondition)"])
        }
        lastCondition = condition.name
    }

    /// Forgets the changes below a revision, slice by slice; what arrives meanwhile is done between them.
    func compact(_ request: WireCompact, _ reader: any StorageReader) async throws(EngineError) -> [UInt8] {
        guard let head = engine?.position.rev else { throw .closed }
        let below = request.below == 0 ? head : request.below
        guard below <= head else { throw .futureRevision(floor: engine?.floor ?? 1, head: head) }
        do throws(EngineError) {
            try await reader.searched(through: below - min(below, 1))
        } catch {
            // Then the text search is built anew from the landmarks.
            logger.debug("compacting past the text search", metadata: ["reason": "\(error)"])
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
            try? await Task.sleep(for: Self.breath)
        }
    }

    private func moved(_ floor: UInt64, from before: UInt64) {
        guard floor > before else { return }
        counters.forgotten += floor - before
        publisher?.moved(floor: floor)
    }
}

/// The clock on the wall, as far as it may be believed when something is to be forgotten for its age: it went as evenly
/// as time itself since the start, or it is behind that.
struct EvenClock {
    private let wall: UInt64
    private let monotonic: UInt64

    /// Both in milliseconds, read at the same time.
    init(wall: UInt64, monotonic: UInt64) {
        self.wall = wall
        self.monotonic = monotonic
    }

    /// Unix milliseconds.
    func now(wall: UInt64, monotonic: UInt64) -> UInt64 {
        min(wall, self.wall + (monotonic - min(monotonic, self.monotonic)))
    }
}
