// SPDX-License-Identifier: Apache-2.0

package import Landmarks
package import WaymarkProtocol
package import ZeroMQ

/// Requests for changes that wait until there is a newer one (`Changes.wait_ms`): the service's end of a long poll,
/// shared by both services. A client whose feed cannot be reached learns of a change at once, and meanwhile the service
/// receives no requests.
///
/// The waiting requests live on the loop of the service.
package final class WaitingReads {
    /// The time reserved for the way back to the client, in milliseconds; a wait ends this much before the request's
    /// time does.
    private static let margin: UInt64 = 100
    /// Waits that end within this many milliseconds end together.
    private static let tick: UInt64 = 20

    private let loop: EventLoop
    private let end: (WireChanges, IncomingRequest, _ isOver: Bool) -> Void
    private var parked: ParkedRequests
    private var timer: LoopTimer?
    private var due = UInt64.max

    /// - Parameters:
    ///   - limit: the most requests that wait; further ones are answered at once.
    ///   - share: the most waiting requests of one account, or of one connection if there are no accounts.
    ///   - end: answers a request. `isOver` if its time is over and there is nothing newer.
    package init(
        loop: EventLoop, limit: Int, share: Int, end: @escaping (WireChanges, IncomingRequest, _ isOver: Bool) -> Void
    ) {
        (self.loop, self.end) = (loop, end)
        parked = ParkedRequests(limit: limit, share: share)
    }

    package var count: Int { parked.count }
    package var bytes: Int { parked.bytes }

    /// Keeps a request that asks to wait, if its answer would be empty.
    ///
    /// A position of another run is not kept, although its revision is the newest: only storage's tables can tell
    /// whether it is of this history, and the client has to learn that at once.
    ///
    /// - Parameter here: the newest position.
    /// - Returns: false if the request has to be answered now.
    package func keep(_ changes: WireChanges, _ request: IncomingRequest, at here: Position) -> Bool {
        guard changes.waitMs > 0, !request.header.hasAtLeast, let since = try? Position(changes.since),
            since.epoch == here.epoch, since.rev == here.rev, since.run == nil || since.run == here.run,
            (try? FeedFilter(changes.filter)) != nil
        else { return false }
        let left = request.remaining
        let wait = min(
            UInt64(changes.waitMs), UInt64(WaymarkProtocol.longestWaitMilliseconds), left - min(Self.margin, left / 2))
        let until = Monotonic.milliseconds + wait
        let waiting = ParkedRequest(
            command: .changes(changes), request: request, wanted: since.rev + 1, until: until)
        guard parked.add(waiting) else { return false }
        if until < due { look(at: until) }
        return true
    }

    /// Ends the waits for this revision.
    package func reached(_ rev: UInt64) {
        while let waiting = parked.next(through: rev) { finish(waiting, isOver: false) }
    }

    /// Ends all waits, because the known newest position is no longer valid.
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
