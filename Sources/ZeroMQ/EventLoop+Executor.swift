// SPDX-License-Identifier: Apache-2.0

extension EventLoop {
    /// Queues a job for the next turn, from any thread. On the loop's own thread that costs no system call.
    public func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

    /// Queues a closure for the next turn, from any thread, for code that is no actor.
    public func submit(_ body: @escaping @Sendable () -> Void) { add(.body(body)) }

    /// For an actor's `unownedExecutor`.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    /// Two actors on one loop can call each other without a hop.
    public func isSameExclusiveExecutionContext(other: EventLoop) -> Bool { self === other }

    /// Fails the process unless the caller runs on this loop; `assumeIsolated` asks here.
    public func checkIsolated() { precondition(isCurrent, "not on the loop \(name)") }

    /// Whether the caller runs on this loop.
    public func isIsolatingCurrentContext() -> Bool? { isCurrent }

    private func add(_ work: Inbox.Work) {
        switch inbox.withLock({ $0.add(work) }) {
        case .nothing: break
        case .wake: wake()
        case .runLate: runLate()
        }
    }
}
