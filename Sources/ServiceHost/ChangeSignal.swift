// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// Tells waiting tasks that something has changed, so that they do not have to poll.
public final class ChangeSignal: Sendable {
    private struct State {
        var waiting: [UInt64: AsyncStream<Void>.Continuation] = [:]
        var lastNumber: UInt64 = 0
        var isOver = false
    }

    private let state = Locked(State())

    public init() {}

    /// Whether all waits have ended.
    public var isOver: Bool { state.withLock { $0.isOver } }

    /// Makes all waiting tasks check their conditions again.
    public func send() {
        for waiting in state.withLock({ Array($0.waiting.values) }) { waiting.yield() }
    }

    /// Ends all waits, now and later.
    public func end() {
        let all = state.withLock { state in
            state.isOver = true
            return Array(state.waiting.values)
        }
        for waiting in all { waiting.finish() }
    }

    /// Waits until `isSo` returns true. Calls it at once, after each change, and at the end: after `limit`, when the task
    /// is cancelled, or when the signal ends.
    ///
    /// - Parameter limit: the longest time to wait; nil if there is no limit.
    /// - Returns: the last result of `isSo`; false if the signal had ended before.
    @discardableResult
    public nonisolated(nonsending) func wait(atMost limit: Duration? = nil, until isSo: () -> Bool) async -> Bool {
        let (changes, told) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let entered: UInt64? = state.withLock { state in
            guard !state.isOver else { return nil }
            state.lastNumber += 1
            state.waiting[state.lastNumber] = told
            return state.lastNumber
        }
        guard let number = entered else { return false }
        let timer = limit.map { limit in
            Task {
                try? await Task.sleep(for: limit)
                told.finish()
            }
        }
        defer {
            timer?.cancel()
            state.withLock { $0.waiting[number] = nil }
        }
        // The condition is checked after registering, so that a change in between is not missed.
        if isSo() { return true }
        for await _ in changes where isSo() { return true }
        // On a busy machine a long time may pass between the end of the wait and this line.
        return isSo()
    }
}
