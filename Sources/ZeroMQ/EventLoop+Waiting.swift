// SPDX-License-Identifier: Apache-2.0

extension EventLoop {
    /// Waits until a condition holds that only this loop can change. Only on the loop's thread, as an actor that lives on it.
    ///
    /// It is looked at after each turn, so that nobody has to look again and again.
    ///
    /// - Parameter limit: `nil`: it waits as long as that takes.
    /// - Returns: whether it has held: it may be over again when the task goes on. It need not have after the limit, when the
    ///   task is cancelled, or at the loop's end.
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

    /// The task goes on.
    func end() { told.finish() }
}
