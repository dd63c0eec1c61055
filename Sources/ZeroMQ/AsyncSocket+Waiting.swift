// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension AsyncSocket {
    enum Side: Int { case receiving, sending }

    /// The task that waits to receive, or to send, on one socket. At most one task may wait on each `Side`.
    struct Waiter {
        private var isTaken = false
        private var continuation: CheckedContinuation<Void, Never>?

        var isWaiting: Bool { continuation != nil }

        /// Claims this side of the socket for a task.
        ///
        /// - Returns: `false` if another task has claimed it.
        mutating func enter() -> Bool {
            if isTaken { return false }
            isTaken = true
            return true
        }

        mutating func leave() { isTaken = false }

        mutating func wait(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }

        mutating func wake() -> Bool {
            guard let continuation else { return false }
            self.continuation = nil
            continuation.resume()
            return true
        }
    }

    /// Waits until the task may try again to receive or send, the socket is closed, or the task is cancelled. May also
    /// return early, so callers must try again.
    ///
    /// All three conditions are checked inside the continuation's closure because, if the task prefers an executor,
    /// other jobs of the actor run between the `await` and the closure. A readiness in between is reported again.
    func wait(for side: Side) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled || !isOpen { return continuation.resume() }
                waiters[side.rawValue].wait(continuation)
                ask(for: side)
            }
        } onCancel: {
            // This closure may run on any thread. It wakes a task that waits; a task that does not wait yet sees that
            // it is cancelled.
            loop.submit { self.assumeIsolated { _ = $0.wake(side) } }
        }
    }

    /// Claims this side for the calling task.
    ///
    /// - Returns: `false` if another task has claimed it.
    func enter(_ side: Side) -> Bool { waiters[side.rawValue].enter() }

    func leave(_ side: Side) { waiters[side.rawValue].leave() }

    /// Whether a task waits on this side. For tests only.
    func isWaiting(for side: Side) -> Bool { waiters[side.rawValue].isWaiting }

    /// Resumes the task that waits on this side.
    ///
    /// - Returns: `false` if no task waited.
    @discardableResult
    func wake(_ side: Side) -> Bool { waiters[side.rawValue].wake() }

    func cancelled(_ operation: String) -> ZeroMQError { ZeroMQError(operation, code: .cancelled, errno: ECANCELED) }

    func busy(_ operation: String) -> ZeroMQError { ZeroMQError(operation, code: .busy, errno: EBUSY) }
}
