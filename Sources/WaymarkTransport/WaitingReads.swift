// SPDX-License-Identifier: Apache-2.0

package import Landmarks
package import WaymarkProtocol
package import ZeroMQ

/// The requests for changes that wait until there is a newer change (`Changes.wait_ms`): the server side of a long
/// poll, shared by both services. A client that cannot reach the feed thus learns of a change at once.
///
/// The waiting requests live on the event loop of the service.
package final class WaitingReads {
    /// The milliseconds by which a wait ends before the request's deadline, reserved for the answer's way back.
    private static let margin: UInt64 = 100
    /// The interval in milliseconds within which waits that end are ended together.
    private static let tick: UInt64 = 20

    private let loop: EventLoop
    private let longest: UInt32
    private let end: (WireChanges, IncomingRequest, _ isOver: Bool) -> Void
    private var parked: ParkedRequests
    private var timer: LoopTimer?
    private var due = UInt64.max

    /// - Parameters:
    ///   - limit: the maximum number of waiting requests. Further requests are answered at once.
    ///   - share: the maximum number of waiting requests of one account, or of one connection if there are no accounts.
    ///   - longest: the longest wait, in milliseconds.
    ///   - end: answers a request. `isOver` is whether its time is over without a newer change.
    package init(
        loop: EventLoop, limit: Int, share: Int, longest: UInt32,
        end: @escaping (WireChanges, IncomingRequest, _ isOver: Bool) -> Void
    ) {
        (self.loop, self.longest, self.end) = (loop, longest, end)
        parked = ParkedRequests(limit: limit, share: share)
    }

    package var count: Int { parked.count }
    package var bytes: Int { parked.bytes }

    /// Keeps a request that asks to wait, if its answer would be empty now.
    ///
    /// A request with a position of another run is answered at once, even if its revision is the newest: only storage's
    /// tables show whether the position belongs to this history, and the client has to learn that.
    ///
    /// - Parameter here: the newest position.
    /// - Returns: false if the request has to be answered now.
    package func keep(_ changes: WireChanges, _ request: IncomingRequest, at here: Position) -> Bool {
        guard changes.waitMs > 0, !request.header.hasAtLeast, let since = try? Position(changes.since),
            since.epoch == here.epoch, since.rev == here.rev, since.run == nil || since.run == here.run,
            (try? FeedFilter(changes.filter)) != nil
        else { return false }
        let left = request.remaining
        let wait = min(UInt64(min(changes.waitMs, longest)), left - min(Self.margin, left / 2))
        let until = Monotonic.milliseconds + wait
        let waiting = ParkedRequest(
            command: .changes(changes), request: request, wanted: since.rev + 1, until: until)
        guard parked.add(waiting) else { return false }
        if until < due { look(at: until) }
        return true
    }

    /// Answers the requests that wait for `rev` or a lower revision.
    package func reached(_ rev: UInt64) {
        while let waiting = parked.next(through: rev) { finish(waiting, isOver: false) }
    }

    /// Answers all waiting requests, because the known newest position is no longer valid.
    package func endAll() {
        timer?.cancel()
        (timer, due) = (nil, .max)
        for waiting in parked.removeAll() { finish(waiting, isOver: false) }
    }

    private func finish(_ waiting: ParkedRequest, isOver: Bool) {
        guard case .changes(let changes) = waiting.command else { return }
        end(changes, waiting.request.goingOn(), isOver)
    }

    private func look(at time: UInt64) {
        timer?.cancel()
        due = time
        let now = Monotonic.milliseconds
        timer = loop.schedule(after: .milliseconds(max(time, now) - now)) { [weak self] in self?.endOverdue() }
    }

    private func endOverdue() {
        (timer, due) = (nil, .max)
        let now = Monotonic.milliseconds
        for waiting in parked.overdue(now: now) { finish(waiting, isOver: true) }
        if timer == nil, let next = parked.earliest { look(at: max(next, now + Self.tick)) }
    }
}
