// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// The part of an engine that any thread may use, even while the engine is blocked.
package final class EngineControl: Sendable {
    private struct State {
        var condition = EngineCondition.writable
        var isInterrupted = false
        var confirmed: ContinuousClock.Instant?
        /// When the engine began its present work; nil while it waits for work.
        var begun: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    private let interrupted = DispatchSemaphore(value: 0)

    package init() {}

    package var condition: EngineCondition { state.withLock(\.condition) }

    package func enter(_ condition: EngineCondition) { state.withLock { $0.condition = condition } }

    /// The condition as other threads see it. An engine that has been busy with one piece of work for too long counts
    /// as unreachable, because its database gives no answer. The engine itself notices only when its own, much longer
    /// patience ends.
    package var conditionSeen: EngineCondition {
        let (condition, begun) = state.withLock { ($0.condition, $0.begun) }
        guard condition == .writable, let begun else { return condition }
        let time = ContinuousClock.now - begun
        return time < Self.longestWork ? condition : .unreachable("no answer for \(time.components.seconds) s")
    }

    private static let longestWork = Duration.seconds(2)

    /// Notes that a piece of work begins, or that the last one has ended.
    package func works(_ isAtWork: Bool) { state.withLock { $0.begun = isAtWork ? ContinuousClock.now : nil } }

    /// Notes that the database has confirmed this storage as its writer, at some time after `time`.
    package func confirm(since time: ContinuousClock.Instant) { state.withLock { $0.confirmed = time } }

    /// Whether no other storage can have taken over: the database has confirmed this one within the time for which
    /// others wait. Always true for a database without other writers.
    package var isSurelyWriter: Bool {
        state.withLock(\.confirmed) == nil || isConfirmed(within: Self.lease)
    }

    package func isConfirmed(within time: Duration) -> Bool {
        state.withLock(\.confirmed).map { ContinuousClock.now - $0 < time } ?? false
    }

    /// How long a confirmation counts. It is shorter than the patience of ``Succession``, which begins to count later.
    private static let lease = Duration.milliseconds(2_500)

    /// Ends waits for a server. Afterwards the engine can only be closed.
    package func interrupt() {
        state.withLock { $0.isInterrupted = true }
        interrupted.signal()
    }

    package var isInterrupted: Bool { state.withLock(\.isInterrupted) }

    /// Blocks for this long, or until the engine is interrupted.
    package func sleep(_ time: Duration) {
        guard interrupted.wait(timeout: .now() + time / .seconds(1)) == .success else { return }
        // Passes the interruption on to the next sleeper.
        interrupted.signal()
    }
}
