// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// Says that something has changed, to those that wait for it: nobody has to look again and again.
public final class ChangeSignal: Sendable {
    private struct State {
        var waiting: [UInt64: AsyncStream<Void>.Continuation] = [:]
        var lastNumber: UInt64 = 0
        var isOver = false
    }

    private let state = Locked(State())

    public init() {}

    /// All that wait look again.
    public func send() {
        for waiting in state.withLock({ Array($0.waiting.values) }) { waiting.yield() }
    }

    /// Nobody waits any more, also later.
    public func end() {
        let all = state.withLock { state in
            state.isOver = true
            return Array(state.waiting.values)
        }
        for waiting in all { waiting.finish() }
    }

    /// Returns when a change has made `isSo` true, or it was so before; at the latest after `limit`, when the task is
    /// cancelled, or at the end.
    ///
    /// - Parameter limit: nil: it waits as long as that takes.
    /// - Returns: whether it was so when it was looked at last.
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
        // Only now, because a change from here on is told.
        if isSo() { return true }
        for await _ in changes where isSo() { return true }
        return false
    }
}
