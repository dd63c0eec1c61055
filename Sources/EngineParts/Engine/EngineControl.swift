// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Reports the condition of an engine and of its text search, and ends the engine's waits. Any thread may use it, even
/// while the engine is blocked.
package final class EngineControl: Sendable {
    private struct State {
        var condition = EngineCondition.writable
        var isInterrupted = false
        var confirmed: ContinuousClock.Instant?
        /// When the engine began its present work; nil if it has no work.
        var begun: ContinuousClock.Instant?
        var searched: UInt64 = 0
    }

    private let state = Mutex(State())
    private let interrupted = DispatchSemaphore(value: 0)

    package init() {}

    package var condition: EngineCondition { state.withLock(\.condition) }

    package func enter(_ condition: EngineCondition) { state.withLock { $0.condition = condition } }

    /// The condition for other threads. An engine that has been working for too long counts as unreachable, because its
    /// database does not answer. The engine itself notices this only after its own, much longer timeout.
    package var conditionSeen: EngineCondition {
        let (condition, begun) = state.withLock { ($0.condition, $0.begun) }
        guard condition == .writable, let begun else { return condition }
        let time = ContinuousClock.now - begun
        return time < Self.longestWork ? condition : .unreachable("no answer for \(time.components.seconds) s")
    }

    private static let longestWork = Duration.seconds(2)

    /// Records that the engine begins to work, or that its work has ended.
    package func works(_ isAtWork: Bool) { state.withLock { $0.begun = isAtWork ? ContinuousClock.now : nil } }

    /// Records that, at some time after `time`, the database confirmed this storage as its writer.
    package func confirm(since time: ContinuousClock.Instant) { state.withLock { $0.confirmed = time } }

    /// Whether no other storage can have taken over, because the database confirmed this storage less than `lease`
    /// ago. Always true for a database that has no other writers.
    package var isSurelyWriter: Bool {
        state.withLock(\.confirmed) == nil || isConfirmed(within: Self.lease)
    }

    package func isConfirmed(within time: Duration) -> Bool {
        state.withLock(\.confirmed).map { ContinuousClock.now - $0 < time } ?? false
    }

    /// How long a confirmation is valid. This is shorter than the time for which other storages wait in
    /// `PostgreSQLServer.awaitTurn`, and that time begins later.
    private static let lease = Duration.milliseconds(2_500)

    /// The newest revision in the index of the text search, for readers that must not wait for its file; 0 if the file has
    /// not been read yet.
    var searched: UInt64 { state.withLock(\.searched) }

    func search(reached rev: UInt64) { state.withLock { $0.searched = rev } }

    /// Ends all waits for a server. Afterwards the engine can only be closed.
    package func interrupt() {
        state.withLock { $0.isInterrupted = true }
        interrupted.signal()
    }

    package var isInterrupted: Bool { state.withLock(\.isInterrupted) }

    /// Blocks for the given time, or until the engine is interrupted.
    package func sleep(_ time: Duration) {
        guard interrupted.wait(timeout: .now() + time / .seconds(1)) == .success else { return }
        // Signal again, so that the next thread that sleeps is interrupted too.
        interrupted.signal()
    }
}
