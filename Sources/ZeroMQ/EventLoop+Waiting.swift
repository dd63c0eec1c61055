// SPDX-License-Identifier: Apache-2.0

extension EventLoop {
    /// Waits until a condition holds that only this loop can change. Only on the loop's thread, as an actor that lives
    /// on it.
    ///
    /// The loop checks the condition after each turn, so that nobody has to poll.
    ///
    /// - Parameter limit: the longest wait; `nil` waits without a limit.
    /// - Returns: whether the condition has held; it may no longer hold when the task resumes. `false` only after the
    ///   limit, a cancellation of the task, or the loop's end.
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

/// A task that waits for a condition. Not Sendable: belongs to the loop's thread.
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
