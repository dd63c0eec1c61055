// SPDX-License-Identifier: Apache-2.0

/// A call that a loop makes later, once or repeatedly.
///
/// Letting go of it does not cancel it. Not Sendable: belongs to the loop's thread.
public final class LoopTimer {
    /// Nanoseconds of the monotonic clock.
    var deadline: Int64
    /// Nanoseconds; `nil` if it fires once.
    let interval: Int64?
    /// The index in the queue's heap; -1 while the timer is in no queue.
    var position = -1
    /// Among equal deadlines the one that was scheduled first fires first.
    var order: UInt64 = 0
    private var body: (() -> Void)?
    /// `nil` once the timer is over, so that no reference cycle is left.
    private var loop: EventLoop?

    init(deadline: Int64, interval: Int64?, loop: EventLoop, body: @escaping () -> Void) {
        self.deadline = deadline
        self.interval = interval
        self.loop = loop
        self.body = body
    }

    /// Whether it was cancelled, or has fired for the last time.
    public var isOver: Bool { body == nil }

    /// Cancels the timer: it does not fire any more.
    public func cancel() {
        guard let loop else { return }
        loop.checkIsolated()
        loop.turns.remove(self)
        end()
    }

    func fire() {
        let body = body
        if interval == nil { end() }
        body?()
    }

    /// Moves the deadline to the first regular moment after `now`. Moments that have passed are skipped.
    func advance(past now: Int64, by interval: Int64) {
        let lastPassed = deadline + (now - deadline) / interval * interval
        let (next, isTooLate) = lastPassed.addingReportingOverflow(interval)
        deadline = isTooLate ? .max : next
    }

    /// Releases the closure, which often holds the owner.
    func end() {
        body = nil
        loop = nil
    }
}
