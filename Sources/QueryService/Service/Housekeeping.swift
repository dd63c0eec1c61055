// SPDX-License-Identifier: Apache-2.0

import Accounts
import Logging
import ServiceHost
internal import WaymarkTransport
import ZeroMQ

/// Work that is done once a second, for conditions that no message reports.
final class Housekeeping {
    /// The round in which the log reports, once, that storage is missing. In the first round this would be too early:
    /// if both services are started together, one may be ready before the other.
    private static let roundsUntilMissed: UInt64 = 2

    /// The account book; nil if accounts are not required.
    private let book: AccountBook?
    private let logger: Logger
    private let server: RequestServer
    private let sync: ReplicaSync
    private let parked: ParkedReads
    private var timer: LoopTimer?
    /// The number of rounds so far.
    private var rounds: UInt64 = 0
    private var openFiles = OpenFilesWatch()
    private var heapTrimmer = HeapTrimmer()
    /// Whether the log already reports that storage refuses this service's key, or has an unexpected one.
    private var hasToldOfKeys = false

    init(_ book: AccountBook?, home: Home, server: RequestServer, sync: ReplicaSync, parked: ParkedReads) {
        (self.book, logger) = (book, home.logger)
        (self.server, self.sync, self.parked) = (server, sync, parked)
        timer = home.loop.schedule(every: .seconds(1)) { [weak self] in self?.look() }
    }

    private func look() {
        let (link, publisher) = (sync.link, sync.relay?.publisher)
        server.settle()
        publisher?.settle()
        publisher?.moved(floor: sync.knownFloor)
        // Keys may have expired since the last round.
        if book != nil { publisher?.cutOffRefused() }
        let waiting = Int(clamping: server.counters.answerBytesHeld) + link.forwarding.queued.bytes
        heapTrimmer.look(received: server.counters.received, waiting: UInt64(waiting + parked.bytes))
        // The queued requests were never sent to storage, so they can be refused: nothing was done.
        if link.isAway { link.refuseQueued(.storageAway) }
        if let problem = link.keyProblem {
            if !hasToldOfKeys { logger.error("\(problem)") }
            hasToldOfKeys = true
        }
        rounds += 1
        if rounds == Self.roundsUntilMissed { link.tellIfMissing() }
        guard rounds.isMultiple(of: 10) else { return }
        for number in publisher?.takeRefusals() ?? [] {
            logger.warning(
                "an account has used up its share of the feed's connections or topics",
                metadata: ["account": "\((try? book?.account(number).name) ?? "")"])
        }
        guard let news = openFiles.look(count: OpenFiles.count, limit: OpenFiles.limit) else { return }
        logger.log(level: news.isWarning ? .warning : .notice, "\(news.sentence)")
    }

    func close() { timer?.cancel() }
}
