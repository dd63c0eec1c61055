// SPDX-License-Identifier: Apache-2.0

/// Something that a loop will do later, once or again and again.
///
/// Letting go of it does not cancel it. Not Sendable: belongs to the loop's thread.
public final class LoopTimer {
    /// Nanoseconds of the monotonic clock.
    var deadline: Int64
    /// Nanoseconds; `nil` if it fires once.
    let interval: Int64?
    /// Where the queue keeps it; -1 while it is in none.
    var position = -1
    /// Among equal deadlines the one that was scheduled first fires first.
    var order: UInt64 = 0
    private var body: (() -> Void)?
    /// Until it is over, so that there is no cycle left.
    private var loop: EventLoop?

    init(deadline: Int64, interval: Int64?, loop: EventLoop, body: @escaping () -> Void) {
        self.deadline = deadline
        self.interval = interval
        self.loop = loop
        self.body = body
    }

    /// Whether it was cancelled, or has fired for the last time.
    public var isOver: Bool { body == nil }

    /// It does not fire any more, from now on.
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

    /// The next of its regular moments; those that have passed by now are left out.
    func advance(past now: Int64, by interval: Int64) {
        let lastPassed = deadline + (now - deadline) / interval * interval
        let (next, isTooLate) = lastPassed.addingReportingOverflow(interval)
        deadline = isTooLate ? .max : next
    }

    /// Lets go of the closure, which often holds the owner.
    func end() {
        body = nil
        loop = nil
    }
}
