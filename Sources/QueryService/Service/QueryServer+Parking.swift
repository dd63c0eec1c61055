// SPDX-License-Identifier: Apache-2.0

internal import Landmarks
import WaymarkProtocol
internal import WaymarkTransport

/// Requests that ask for at least a revision, and the waiting of those that the replica has not reached.
extension QueryServer {
    /// `tick`: milliseconds between two checks for overdue requests. `margin`: how long before its end a request is
    /// refused, which is longer than one tick and the way back to the client.
    private static let tick: UInt64 = 25
    private static let margin: UInt64 = 75
    /// More revisions than any storage writes in a second: several times the most ever measured.
    private static let mostPerSecond: UInt64 = 1_000_000

    /// Whether the replica has reached the position that the request asks for; false also where that cannot be known.
    func isReached(_ header: RequestHeader) -> Bool {
        guard header.hasAtLeast else { return true }
        guard let here = replica?.position, let wanted = header.wanted else { return false }
        return wanted.epoch == here.epoch && wanted.rev <= here.rev
    }

    /// The revision that the request asks for and the replica has not reached; nil when it has.
    ///
    /// - Throws: an error if the replica will never reach it.
    func missing(_ header: RequestHeader) throws(ServiceError) -> UInt64? {
        guard header.hasAtLeast else { return nil }
        guard let here = replica?.position else { throw .notLoaded }
        guard let wanted = header.wanted, wanted.epoch == here.epoch else {
            throw ServiceError(
                .epochChanged, "The position is from another history: forget it and begin with a snapshot.")
        }
        guard wanted.rev > here.rev else { return nil }
        // A client may know revisions from storage that this service has not heard of, but only up to a plausible
        // number.
        let head = max(facts.head, here.rev)
        let (most, isBeyond) = head.addingReportingOverflow((age / 1_000 + 10) * Self.mostPerSecond)
        guard isBeyond || wanted.rev <= most else {
            throw ServiceError(
                .futureRevision,
                "Storage has no such revision, nor can it have: the position is not from this history.",
                floor: knownFloor, head: head)
        }
        return wanted.rev
    }

    func park(_ command: WireRequest.OneOf_Command, _ request: IncomingRequest, until wanted: UInt64) {
        // The refusal is sent while the client is still waiting.
        let patience = request.remaining - min(Self.margin, request.remaining / 2)
        let waiting = ParkedRequest(
            command: command, request: request, wanted: wanted, until: Monotonic.milliseconds + patience)
        guard work.parked.add(waiting) else {
            refuse(request.address, ServiceError(.busy, "Too many requests wait already.", retryAfter: 200))
            return
        }
        counters.parked += 1
        watchParked()
    }

    /// Refuses overdue requests even when nothing else happens.
    private func watchParked() {
        guard work.parkTimer == nil, !work.parked.isEmpty else { return }
        work.parkTimer = loop.schedule(after: .milliseconds(Int64(Self.tick)), for: self) {
            $0.work.parkTimer = nil
            $0.refuseOverdue()
            // A write outside of the region sends nothing on its feed but the next beacon. The log tells sooner.
            if $0.options.region != nil, !$0.work.parked.isEmpty { $0.follower?.poll() }
            $0.watchParked()
        }
    }

    private func refuseOverdue() {
        for waiting in work.parked.overdue(now: Monotonic.milliseconds) {
            refuse(
                waiting.request.address,
                ServiceError(
                    .notYet, "This service has not reached that revision yet: send the same request again.",
                    retryAfter: 100))
        }
    }

    /// Answers the requests whose revision the replica has reached.
    func releaseParked() {
        if let rev = replica?.position.rev { waiting?.reached(rev) }
        while let rev = replica?.position.rev, let parked = work.parked.next(through: rev) {
            handle(parked.command, parked.request)
        }
    }

    /// Answers or refuses all waiting requests, because their position is in another history or will not be reached.
    func releaseAllParked() {
        waiting?.endAll()
        for parked in work.parked.removeAll() { handle(parked.command, parked.request) }
    }
}
