// SPDX-License-Identifier: Apache-2.0

extension EventLoop {
    /// Queues a job for the next turn (iteration) of the event loop. May be called on any thread; on the event loop's
    /// own thread this costs no system call.
    public func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

    /// Queues a closure for the next turn. May be called on any thread, by code outside of actors.
    public func submit(_ body: @escaping @Sendable () -> Void) { add(.body(body)) }

    /// The executor for an actor's `unownedExecutor`.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    /// Traps unless the caller runs on this event loop. `assumeIsolated` calls this function.
    public func checkIsolated() { precondition(isCurrent, "not on the loop \(name)") }

    /// Returns whether the caller runs on this event loop.
    public func isIsolatingCurrentContext() -> Bool? { isCurrent }

    private func add(_ work: Inbox.Work) {
        switch inbox.withLock({ $0.add(work) }) {
        case .nothing: break
        case .wake: wake()
        case .runLate: runLate()
        }
    }
}
