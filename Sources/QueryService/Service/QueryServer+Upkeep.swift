// SPDX-License-Identifier: Apache-2.0

internal import Landmarks
import Logging
import ServiceHost
import WaymarkProtocol
internal import WaymarkTransport

extension QueryServer {
    /// Runs once a second.
    func upkeep() {
        server?.settle()
        relay?.publisher.settle()
        relay?.publisher.moved(floor: knownFloor)
        // Keys that have expired since.
        if options.access != nil { relay?.publisher.cutOffRefused() }
        let waiting = (server?.counters.answerBytesHeld ?? 0) + UInt64(work.bytes + (waiting?.bytes ?? 0))
        housekeeping.spareMemory.look(received: server?.counters.received ?? 0, waiting: waiting)
        // These were never forwarded, so nothing was done.
        if isStorageAway { refuseQueued(.storageAway) }
        if let problem = storageKeyProblem {
            if !housekeeping.hasToldOfKeys { logger.error("\(problem)") }
            housekeeping.hasToldOfKeys = true
        }
        housekeeping.rounds += 1
        if housekeeping.rounds == Self.roundsUntilMissed { tellOfMissingStorage() }
        guard housekeeping.rounds.isMultiple(of: 10) else { return }
        for number in relay?.publisher.takeRefusals() ?? [] {
            logger.warning(
                "an account has its share of the feed's connections or topics",
                metadata: ["account": "\((try? accounts.book.account(number).name) ?? "")"])
        }
        guard let news = housekeeping.openFiles.look(count: OpenFiles.count, limit: OpenFiles.limit) else { return }
        logger.log(level: news.isWarning ? .warning : .notice, "\(news.sentence)")
    }

    /// Asked once, at the second round: services that are started together need no warning that one was ready before the
    /// other.
    private static let roundsUntilMissed: UInt64 = 2

    /// Says once what the service waits for at its start. The connection itself is logged when it is there.
    private func tellOfMissingStorage() {
        guard let storage, !storage.isConnected, facts.epoch == nil, storageKeyProblem == nil else { return }
        var metadata: Logger.Metadata = ["storage": "\(options.storageNames)"]
        if let failure = storage.lastFailure { metadata["cause"] = "\(failure)" }
        logger.warning(
            "waiting for storage, and refusing every read: start waymark-storage, or correct the setting storage",
            metadata: metadata)
    }

    func storageChanged(_ isThere: Bool) {
        guard isThere else { return logger.warning("storage is away") }
        logger.info("storage connected", metadata: ["storage": "\(storage?.endpoint ?? "")"])
        // Storage may be another release now.
        Task { _ = try? await helloStorage() }
    }

    /// Whether what answers at one of several endpoints may be used as storage.
    func accepts(_ welcome: WireWelcome) -> Bool {
        guard let epoch = UUIDv7(bytes: welcome.epoch), let run = UUIDv7(bytes: welcome.run) else { return false }
        let isNews = facts.refusedRun != run
        guard facts.runs.admit(run, at: Position(epoch: epoch, rev: welcome.head), known: facts.known) else {
            facts.refusedRun = run
            if isNews {
                logger.warning(
                    "a storage of before is not used",
                    metadata: ["storage": "\(storage?.endpoint ?? "")", "head": .stringConvertible(welcome.head)])
            }
            return false
        }
        facts.refusedRun = nil
        return true
    }

    /// Milliseconds since anything arrived on storage's feed or a page of its log, also while no feed is followed.
    var age: UInt64 { follower?.age ?? Monotonic.milliseconds - load.lastHeard }

    /// Whether storage is unreachable: there is no connection, or nothing arrives on it.
    ///
    /// While the feed is lost the log is read every second, so a storage that is up has answered recently.
    var isStorageAway: Bool {
        guard let storage, storage.isConnected else { return true }
        return state.isFeedLost && Monotonic.milliseconds - storage.lastAnswer > Self.patience
    }

    /// In milliseconds: longer than the follower's pause between two reads of the log, of a storage of an earlier release
    /// that lets no request wait.
    private static let patience = UInt64(2 * WaymarkProtocol.beaconsMissed * WaymarkProtocol.beaconMilliseconds)
}
