// SPDX-License-Identifier: Apache-2.0

extension EventLoop {
    /// Waits until a condition holds that only this event loop can change. Only in an actor on this event loop.
    ///
    /// The event loop checks the condition after each of its turns, so nobody has to poll.
    ///
    /// - Parameter limit: the longest time to wait; `nil` if there is no limit.
    /// - Returns: `true` if the condition held at a check; it may no longer hold when the task resumes. `false` if the
    ///   time was over, the task was cancelled, or the event loop ended before the condition held.
    @discardableResult
    public nonisolated(nonsending) func wait(
        upTo limit: Duration? = nil, until condition: @escaping () -> Bool
    ) async -> Bool {
        checkIsolated()
        if condition() { return true }
        let (end, told) = AsyncStream<Void>.makeStream()
        let wait = LoopWait(condition, told)
        turns.add(wait)
        let timer = limit.map { schedule(after: $0) { told.finish() } }
        for await _ in end {}
        timer?.cancel()
        turns.remove(wait)
        return wait.hasHeld || condition()
    }
}

/// A task that waits for a condition. Not Sendable, because it belongs to the event loop's thread.
final class LoopWait {
    private let condition: () -> Bool
    private(set) var hasHeld = false
    private let told: AsyncStream<Void>.Continuation

    init(_ condition: @escaping () -> Bool, _ told: AsyncStream<Void>.Continuation) {
        (self.condition, self.told) = (condition, told)
    }

    func look() {
        guard !hasHeld, condition() else { return }
        hasHeld = true
        end()
    }

    /// Resumes the task.
    func end() { told.finish() }
}
