// SPDX-License-Identifier: Apache-2.0

/// A closure that an event loop calls later, once or repeatedly.
///
/// Releasing the reference does not cancel the timer. Not Sendable, because it belongs to the event loop's thread.
public final class LoopTimer {
    /// The time at which the timer fires next, in nanoseconds of the monotonic clock.
    var deadline: Int64
    /// The interval in nanoseconds; `nil` for a timer that fires once.
    let interval: Int64?
    /// The timer's index in the heap of `TimerQueue`; -1 while the timer is in no queue.
    var position = -1
    /// The order of scheduling: of timers with the same deadline, the timer scheduled first fires first.
    var order: UInt64 = 0
    private var body: (() -> Void)?
    /// Set to `nil` when the timer is over, so that no reference cycle is left.
    private var loop: EventLoop?

    init(deadline: Int64, interval: Int64?, loop: EventLoop, body: @escaping () -> Void) {
        self.deadline = deadline
        self.interval = interval
        self.loop = loop
        self.body = body
    }

    /// Whether the timer was cancelled, or has fired for the last time.
    public var isOver: Bool { body == nil }

    /// Cancels the timer, so that it does not fire any more.
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

    /// Moves the deadline to the first multiple of the interval after `now`, skipping multiples that have passed.
    func advance(past now: Int64, by interval: Int64) {
        let lastPassed = deadline + (now - deadline) / interval * interval
        let (next, isTooLate) = lastPassed.addingReportingOverflow(interval)
        deadline = isTooLate ? .max : next
    }

    /// Releases the closure, which often keeps its owner alive.
    func end() {
        body = nil
        loop = nil
    }
}
