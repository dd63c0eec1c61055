// SPDX-License-Identifier: Apache-2.0

package import Landmarks
package import WaymarkProtocol
package import ZeroMQ

/// Requests for changes that wait until there is something newer (`Changes.wait_ms`): the end of a long poll that both
/// services share. A client whose feed cannot be reached hears of a change at once by it, and a service is asked
/// nothing meanwhile.
///
/// It lives on the loop of the service.
package final class WaitingReads {
    /// Before the end of a request's time, in milliseconds: the way back to the client.
    private static let margin: UInt64 = 100
    /// Waits that are over within so many milliseconds end together.
    private static let tick: UInt64 = 20

    private let loop: EventLoop
    private let longest: UInt32
    private let end: (WireChanges, IncomingRequest, _ isOver: Bool) -> Void
    private var parked: ParkedRequests
    private var timer: LoopTimer?
    private var due = UInt64.max

    /// - Parameters:
    ///   - limit: the most requests that wait; a further one is answered at once.
    ///   - share: the most of them for one account, or for one connection where there are no accounts.
    ///   - longest: the longest wait, in milliseconds.
    ///   - end: answers a request. `isOver`: because its time is over, and there is nothing newer.
    package init(
        loop: EventLoop, limit: Int, share: Int, longest: UInt32,
        end: @escaping (WireChanges, IncomingRequest, _ isOver: Bool) -> Void
    ) {
        (self.loop, self.longest, self.end) = (loop, longest, end)
        parked = ParkedRequests(limit: limit, share: share)
    }

    package var count: Int { parked.count }
    package var bytes: Int { parked.bytes }

    /// Keeps a request that asks to wait, if there would be nothing in its answer.
    ///
    /// A position of another run is not kept, although its revision is the newest: only storage's tables can tell whether
    /// it is of this history, and whoever asks has to hear that at once.
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

    /// Ends the waits for this revision.
    package func reached(_ rev: UInt64) {
        while let waiting = parked.next(through: rev) { finish(waiting, isOver: false) }
    }

    /// Ends all waits, because what was known of the newest position does not count any more.
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
