// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension AsyncSocket {
    enum Side { case receiving, sending }

    /// Waits until the task may try again to receive or send, the socket is closed, or the task is cancelled. May also
    /// return early, so callers must try again.
    ///
    /// All three conditions are checked inside the continuation's closure because, if the task prefers an executor,
    /// other jobs of the actor run between the `await` and the closure. A readiness in between is reported again.
    func wait(for side: Side) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled || !isOpen { return continuation.resume() }
                waiters[side] = continuation
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
    func enter(_ side: Side) -> Bool { claims.insert(side).inserted }

    func leave(_ side: Side) { claims.remove(side) }

    /// Whether a task waits on this side. For tests only.
    func isWaiting(for side: Side) -> Bool { waiters[side] != nil }

    /// Resumes the task that waits on this side.
    ///
    /// - Returns: `false` if no task waited.
    @discardableResult
    func wake(_ side: Side) -> Bool {
        guard let continuation = waiters.removeValue(forKey: side) else { return false }
        continuation.resume()
        return true
    }

    func cancelled(_ operation: String) -> ZeroMQError { ZeroMQError(operation, code: .cancelled, errno: ECANCELED) }

    func busy(_ operation: String) -> ZeroMQError { ZeroMQError(operation, code: .busy, errno: EBUSY) }
}
