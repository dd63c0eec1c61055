// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkProtocol
import WaymarkTransport

/// Requests that ask for at least a revision, and those that wait for it.
extension QueryServer {
    /// Milliseconds between two looks at whose time is over, and how long before its end each is told: longer than one
    /// such pause and the way back.
    private static let tick: UInt64 = 25
    private static let margin: UInt64 = 75
    /// Revisions that no storage writes in a second: several times as many as were ever measured.
    private static let mostPerSecond: UInt64 = 1_000_000

    /// Whether the replica has all that the request wants to see; false also where that cannot be known.
    func isReached(_ header: RequestHeader) -> Bool {
        guard header.hasAtLeast else { return true }
        guard let here = replica?.position, let wanted = header.wanted else { return false }
        return wanted.epoch == here.epoch && wanted.rev <= here.rev
    }

    /// The revision that the request wants to see and the replica has not reached; nil when it has.
    ///
    /// - Throws: it will never reach it.
    func missing(_ header: RequestHeader) throws(ServiceError) -> UInt64? {
        guard header.hasAtLeast else { return nil }
        guard let here = replica?.position else { throw .notLoaded }
        guard let wanted = header.wanted, wanted.epoch == here.epoch else {
            throw ServiceError(
                .epochChanged, "The position is from another history: forget it and begin with a snapshot.")
        }
        guard wanted.rev > here.rev else { return nil }
        // Storage may have told somebody of revisions that have not been heard of here, but not of any number.
        let head = max(storageHead, here.rev)
        let (most, isBeyond) = head.addingReportingOverflow((age / 1_000 + 10) * Self.mostPerSecond)
        guard isBeyond || wanted.rev <= most else {
            throw ServiceError(
                .futureRevision,
                "Storage has no such revision, nor can it have: the position is not from this history.",
                floor: max(storageFloor, follower?.floor ?? 0), head: head)
        }
        return wanted.rev
    }

    func park(_ command: WireRequest.OneOf_Command, _ request: IncomingRequest, until wanted: UInt64) {
        // Told while there still is somebody to hear it.
        let patience = request.remaining - min(Self.margin, request.remaining / 2)
        let waiting = ParkedRequest(
            command: command, request: request, wanted: wanted, until: Monotonic.milliseconds + patience)
        guard parked.add(waiting) else {
            refuse(request.address, ServiceError(.busy, "Too many requests wait already.", retryAfter: 200))
            return
        }
        counters.parked += 1
        watchParked()
    }

    /// Those whose time runs out have to be told, also when nothing else happens.
    private func watchParked() {
        guard parkTimer == nil, !parked.isEmpty else { return }
        parkTimer = loop.schedule(after: .milliseconds(Int64(Self.tick)), for: self) {
            $0.parkTimer = nil
            $0.refuseOverdue()
            $0.watchParked()
        }
    }

    private func refuseOverdue() {
        for waiting in parked.overdue(now: Monotonic.milliseconds) {
            refuse(
                waiting.request.address,
                ServiceError(
                    .notYet, "This service has not come to that revision yet: send the same request again.",
                    retryAfter: 100))
        }
    }

    /// Answers those that waited for what the replica has by now.
    func releaseParked() {
        while let rev = replica?.position.rev, let waiting = parked.next(through: rev) {
            handle(waiting.command, waiting.request)
        }
    }

    /// Answers or refuses all: what they waited for is not to come, or they wait for a position in another history.
    func releaseAllParked() {
        for waiting in parked.removeAll() { handle(waiting.command, waiting.request) }
    }
}
