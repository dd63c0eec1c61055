// SPDX-License-Identifier: Apache-2.0

import ServiceHost
import WaymarkProtocol
internal import WaymarkTransport
import ZeroMQ

/// Requests that wait in this service: for a revision that the replica has not reached ("parked" requests), or for a
/// change after the client's position.
final class ParkedReads {
    /// `tick` is the time in milliseconds between two checks for overdue requests. `margin` is the time in milliseconds
    /// before its deadline at which a request is refused. It is longer than one tick and the way back to the client.
    private static let tick: UInt64 = 25
    private static let margin: UInt64 = 75
    /// More revisions than any storage writes in a second: several times the highest rate ever measured.
    private static let mostPerSecond: UInt64 = 1_000_000
    /// The maximum number of requests that wait for a change after their position.
    private static let mostLongPolls = 4_096
    /// The same maximum for one account, or for one connection where there are no accounts.
    private static let mostLongPollsForOne = 64

    private let home: Home
    private let answers: Replies
    private let sync: ReplicaSync
    /// Handle each request again after it has waited.
    private let handlers: RequestHandlers
    private var parked = ParkedRequests()
    private var timer: LoopTimer?
    /// The requests that wait for a change after their position; nil once closed.
    private var waiting: WaitingReads?
    /// How many requests had to wait for a revision (`parked`), and for a change after their position (`waited`).
    private(set) var counts: (parked: UInt64, waited: UInt64) = (0, 0)

    /// - Parameters:
    ///   - longestWait: the longest wait for a change, in milliseconds.
    ///   - mayResume: throws an error if a request that has waited may no longer be answered, for example because its
    ///     account has ended meanwhile.
    init(
        home: Home, answers: Replies, sync: ReplicaSync, handlers: RequestHandlers, longestWait: UInt32,
        mayResume: @escaping (IncomingRequest) throws(ServiceError) -> Void
    ) {
        (self.home, self.answers, self.sync, self.handlers) = (home, answers, sync, handlers)
        waiting = WaitingReads(
            loop: home.loop, limit: Self.mostLongPolls, share: Self.mostLongPollsForOne, longest: longestWait
        ) { [weak self] changes, request, isOver in
            do throws(ServiceError) { try mayResume(request) } catch { return answers.refuse(request.address, error) }
            self?.answer(changes, afterWait: request, isOver: isOver)
        }
    }

    private var link: StorageLink { sync.link }
    var count: Int { parked.count }
    /// Total size of the waiting requests in bytes.
    var bytes: Int { parked.bytes + (waiting?.bytes ?? 0) }

    // MARK: Requests that wait for a revision

    /// Whether the replica has reached the position that the request requires; also false if that is unknown.
    func isReached(_ header: RequestHeader) -> Bool {
        guard header.hasAtLeast else { return true }
        guard let here = sync.replica?.position, let wanted = header.wanted else { return false }
        return wanted.epoch == here.epoch && wanted.rev <= here.rev
    }

    /// Returns the revision that the request requires; nil if the replica has reached it.
    ///
    /// - Throws: an error if the replica will never reach it.
    func missing(_ header: RequestHeader) throws(ServiceError) -> UInt64? {
        guard header.hasAtLeast else { return nil }
        guard let here = sync.replica?.position else { throw .notLoaded }
        guard let wanted = header.wanted, wanted.epoch == here.epoch else {
            throw ServiceError(
                .epochChanged, "The position is from another history: forget it and begin with a snapshot.")
        }
        guard wanted.rev > here.rev else { return nil }
        // A client may have received a revision from storage that this service does not know yet. How far such a
        // revision can lie ahead is limited by the time since the last message from storage.
        let head = max(link.state.head, here.rev)
        let (most, isBeyond) = head.addingReportingOverflow((sync.age / 1_000 + 10) * Self.mostPerSecond)
        guard isBeyond || wanted.rev <= most else {
            throw ServiceError(
                .futureRevision,
                "Storage cannot have reached this revision: the position is not from this history.",
                floor: sync.knownFloor, head: head)
        }
        return wanted.rev
    }

    func park(_ command: WireRequest.OneOf_Command, _ request: IncomingRequest, until wanted: UInt64) {
        // The request is refused shortly before its deadline, while the client still waits for an answer.
        let patience = request.remaining - min(Self.margin, request.remaining / 2)
        let waiting = ParkedRequest(
            command: command, request: request, wanted: wanted, until: Monotonic.milliseconds + patience)
        guard parked.add(waiting) else {
            return answers.refuse(
                request.address, ServiceError(.busy, "Too many requests wait already: try again.", retryAfter: 200))
        }
        counts.parked += 1
        watch()
    }

    /// Starts the timer that refuses overdue requests, even if no message arrives meanwhile.
    private func watch() {
        guard timer == nil, !parked.isEmpty else { return }
        timer = home.loop.schedule(after: .milliseconds(Int64(Self.tick))) { [weak self] in
            guard let self else { return }
            timer = nil
            refuseOverdue()
            // This service's feed reports a write outside the region only with the next beacon. Reading the log shows
            // sooner that the revision of such a write is reached.
            if sync.options.region != nil, !parked.isEmpty { sync.feed?.poll() }
            watch()
        }
    }

    private func refuseOverdue() {
        for waiting in parked.overdue(now: Monotonic.milliseconds) {
            answers.refuse(
                waiting.request.address,
                ServiceError(
                    .notYet, "This service has not reached that revision yet: send the same request again.",
                    retryAfter: 100))
        }
    }

    /// Answers the requests whose revision the replica has reached.
    func release() {
        if let rev = sync.replica?.position.rev { waiting?.reached(rev) }
        while let rev = sync.replica?.position.rev, let next = parked.next(through: rev) {
            handlers.handle(next.command, next.request)
        }
    }

    /// Answers all requests that wait for a change, because no feed is followed any more.
    func endLongPolls() { waiting?.endAll() }

    /// Handles all waiting requests again, because their positions are in another history or will not be reached.
    func releaseAll() {
        waiting?.endAll()
        for parked in parked.removeAll() { handlers.handle(parked.command, parked.request) }
    }

    /// Refuses or answers all waiting requests, because the service is stopping.
    func refuseAll(_ error: ServiceError) {
        waiting?.endAll()
        for parked in parked.removeAll() { answers.refuse(parked.request.address, error) }
    }

    func close() {
        timer?.cancel()
        waiting?.endAll()
        (timer, waiting) = (nil, nil)
    }

    // MARK: Requests that wait for a change

    /// Keeps a request for changes that asks to wait, if this service knows no change after the request's position. A
    /// service with a region keeps none, because it hears late of changes outside the region; storage keeps them.
    ///
    /// - Returns: false if the request has to be answered now.
    func keep(_ changes: WireChanges, _ request: IncomingRequest) -> Bool {
        guard changes.waitMs > 0, !answers.isRefusing, sync.options.region == nil, sync.state.phase == .following,
            !link.isAway, let here = sync.replica?.position, link.state.head <= here.rev,
            waiting?.keep(changes, request, at: here) == true
        else { return false }
        counts.waited += 1
        return true
    }

    /// Answers a request that has waited for a change.
    ///
    /// - Parameter isOver: whether the wait ended without a change. Then the answer is the replica's position, without
    ///   a look into the log, because storage has found this position in its history.
    private func answer(_ changes: WireChanges, afterWait request: IncomingRequest, isOver: Bool) {
        if answers.isRefusing { return answers.refuse(request.address, .stopping) }
        guard isOver, let here = sync.replica?.position else { return handlers.handle(.changes(changes), request) }
        answers.answer(
            request.address,
            WireReply.with {
                $0.changes = .with {
                    ($0.through, $0.head, $0.floor) = (here.rev, here.rev, sync.knownFloor)
                    $0.run = here.run?.wire ?? $0.run
                }
            }.encoded)
    }
}
