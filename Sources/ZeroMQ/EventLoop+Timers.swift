// SPDX-License-Identifier: Apache-2.0

extension EventLoop {
    /// Calls `body` once after this delay, never early, within a millisecond. Only on the event loop's thread.
    @discardableResult
    public func schedule(after delay: Duration, _ body: @escaping () -> Void) -> LoopTimer {
        add(delay: delay, interval: nil, body)
    }

    /// Calls `body` repeatedly, the first time after one interval. Calls that become due during a long turn of the
    /// event loop are skipped. Only on the event loop's thread.
    @discardableResult
    public func schedule(every interval: Duration, _ body: @escaping () -> Void) -> LoopTimer {
        add(delay: interval, interval: interval, body)
    }

    /// Calls `body` once after this delay, isolated to an actor that lives on this event loop. The timer does not keep
    /// the actor alive.
    @discardableResult
    public func schedule<Owner: Actor>(
        after delay: Duration, for owner: isolated Owner, _ body: @escaping @Sendable (isolated Owner) -> Void
    ) -> LoopTimer {
        schedule(after: delay) { [weak owner] in owner?.assumeIsolated { body($0) } }
    }

    /// Calls `body` repeatedly, isolated to an actor on this event loop. The timer does not keep the actor alive.
    @discardableResult
    public func schedule<Owner: Actor>(
        every interval: Duration, for owner: isolated Owner, _ body: @escaping @Sendable (isolated Owner) -> Void
    ) -> LoopTimer {
        schedule(every: interval) { [weak owner] in owner?.assumeIsolated { body($0) } }
    }

    private func add(delay: Duration, interval: Duration?, _ body: @escaping () -> Void) -> LoopTimer {
        checkIsolated()
        // At least 1 ms, the shortest wait of `poll`, because a shorter interval would take all the time.
        let interval = interval.map { max($0.nanoseconds, 1_000_000) }
        let (deadline, isTooLate) = TimerQueue.now.addingReportingOverflow(max(delay.nanoseconds, 0))
        let timer = LoopTimer(deadline: isTooLate ? .max : deadline, interval: interval, loop: self, body: body)
        turns.add(timer)
        return timer
    }
}

extension Duration {
    /// The duration in nanoseconds, limited to the range of `Int64`, which is 292 years.
    fileprivate var nanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }
}
