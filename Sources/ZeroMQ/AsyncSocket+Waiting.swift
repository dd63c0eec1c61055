// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension AsyncSocket {
    enum Side: Int { case receiving, sending }

    /// The task that waits on one side of a socket, if any. Only one may.
    struct Waiter {
        private var isTaken = false
        private var continuation: CheckedContinuation<Void, Never>?

        var isWaiting: Bool { continuation != nil }

        /// - Returns: `false` if another task waits already.
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

    /// Waits until this side may be tried again, the socket is closed, or the task is cancelled. May also return early,
    /// so callers must try again.
    ///
    /// All three conditions are checked inside the continuation's closure: where the task prefers an executor, other
    /// jobs of the actor run between the `await` and the closure. The loop reports a readiness that passed in between
    /// once more.
    func wait(for side: Side) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled || !isOpen { return continuation.resume() }
                waiters[side.rawValue].wait(continuation)
                ask(for: side)
            }
        } onCancel: {
            // This closure may run on any thread. A task that waits already is woken; one that does not wait yet sees
            // that it is cancelled.
            loop.submit { self.assumeIsolated { _ = $0.wake(side) } }
        }
    }

    /// - Returns: `false` if another task uses this side.
    func enter(_ side: Side) -> Bool { waiters[side.rawValue].enter() }

    func leave(_ side: Side) { waiters[side.rawValue].leave() }

    /// Whether a task waits on this side; for tests.
    func isWaiting(for side: Side) -> Bool { waiters[side.rawValue].isWaiting }

    /// - Returns: `false` if no task waited.
    @discardableResult
    func wake(_ side: Side) -> Bool { waiters[side.rawValue].wake() }

    func cancelled(_ operation: String) -> ZeroMQError { ZeroMQError(operation, code: .cancelled, errno: ECANCELED) }

    func busy(_ operation: String) -> ZeroMQError { ZeroMQError(operation, code: .busy, errno: EBUSY) }
}
