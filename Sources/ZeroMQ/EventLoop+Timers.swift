// SPDX-License-Identifier: Apache-2.0

extension EventLoop {
    /// Calls `body` once, not before this time has passed; to the millisecond. Only on the loop's thread.
    @discardableResult
    public func schedule(after delay: Duration, _ body: @escaping () -> Void) -> LoopTimer {
        add(delay: delay, interval: nil, body)
    }

    /// Calls `body` repeatedly, the first time after one interval. Calls for which a long turn left no time are skipped.
    /// Only on the loop's thread.
    @discardableResult
    public func schedule(every interval: Duration, _ body: @escaping () -> Void) -> LoopTimer {
        add(delay: interval, interval: interval, body)
    }

    /// The same for an actor that lives on this loop: `body` runs isolated to it, and does not keep it alive.
    @discardableResult
    public func schedule<Owner: Actor>(
        after delay: Duration, for owner: isolated Owner, _ body: @escaping @Sendable (isolated Owner) -> Void
    ) -> LoopTimer {
        schedule(after: delay) { [weak owner] in owner?.assumeIsolated { body($0) } }
    }

    /// The same for an actor that lives on this loop: `body` runs isolated to it, and does not keep it alive.
    @discardableResult
    public func schedule<Owner: Actor>(
        every interval: Duration, for owner: isolated Owner, _ body: @escaping @Sendable (isolated Owner) -> Void
    ) -> LoopTimer {
        schedule(every: interval) { [weak owner] in owner?.assumeIsolated { body($0) } }
    }

    private func add(delay: Duration, interval: Duration?, _ body: @escaping () -> Void) -> LoopTimer {
        checkIsolated()
        // An interval below what zmq_poll can wait for would leave no time for anything else.
        let interval = interval.map { max($0.nanoseconds, 1_000_000) }
        let (deadline, isTooLate) = TimerQueue.now.addingReportingOverflow(max(delay.nanoseconds, 0))
        let timer = LoopTimer(deadline: isTooLate ? .max : deadline, interval: interval, loop: self, body: body)
        turns.add(timer)
        return timer
    }
}

extension Duration {
    /// At most what an `Int64` holds, 292 years.
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, isTooMuch) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooMuchNow) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isTooMuch || isTooMuchNow ? (seconds < 0 ? .min : .max) : sum
    }
}
