// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// What may be asked of an engine and told to it from any thread, also while it is blocked.
package final class EngineRemote: Sendable {
    private struct State {
        var condition = EngineCondition.writable
        var isInterrupted = false
        var confirmed: ContinuousClock.Instant?
        /// When the work began that it is at; nil: it waits for some.
        var begun: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    private let interrupted = DispatchSemaphore(value: 0)

    package init() {}

    package var condition: EngineCondition { state.withLock(\.condition) }

    package func enter(_ condition: EngineCondition) { state.withLock { $0.condition = condition } }

    /// The condition as others see it: an engine that has been at one piece of work for long gets no answer. It finds
    /// out itself only when its own, much greater patience ends.
    package var conditionSeen: EngineCondition {
        let (condition, begun) = state.withLock { ($0.condition, $0.begun) }
        guard condition == .writable, let begun else { return condition }
        let time = ContinuousClock.now - begun
        return time < Self.longestWork ? condition : .unreachable("no answer for \(time.components.seconds) s")
    }

    private static let longestWork = Duration.seconds(2)

    /// A piece of work begins, or the last one has ended.
    package func works(_ isAtWork: Bool) { state.withLock { $0.begun = isAtWork ? ContinuousClock.now : nil } }

    /// The database has confirmed that this storage is its writer, and did so after this time.
    package func confirm(since time: ContinuousClock.Instant) { state.withLock { $0.confirmed = time } }

    /// Whether no other storage can have taken over: the database has confirmed this one within the time for which others
    /// wait. Always for a database that has no other writers.
    package var isSurelyWriter: Bool {
        state.withLock(\.confirmed) == nil || isConfirmed(within: Self.lease)
    }

    package func isConfirmed(within time: Duration) -> Bool {
        state.withLock(\.confirmed).map { ContinuousClock.now - $0 < time } ?? false
    }

    /// Shorter than the patience of ``Succession``, which begins to count later.
    private static let lease = Duration.milliseconds(2_500)

    /// Ends what waits for a server. The engine is of no use afterwards but to be closed.
    package func interrupt() {
        state.withLock { $0.isInterrupted = true }
        interrupted.signal()
    }

    package var isInterrupted: Bool { state.withLock(\.isInterrupted) }

    /// Blocks for this long, or until it is interrupted.
    package func sleep(_ time: Duration) {
        guard interrupted.wait(timeout: .now() + time / .seconds(1)) == .success else { return }
        // For the next one that sleeps.
        interrupted.signal()
    }
}
