// SPDX-License-Identifier: Apache-2.0

import Landmarks
import ZeroMQ

/// How far a `tail` is, for the tasks that end it.
final class TailProgress: Sendable {
    private struct State {
        var position: Position?
        var until: UInt64?
        var lastChange = ContinuousClock.now
    }

    private let state = Locked(State())

    var position: Position? { state.withLock { $0.position } }
    var until: UInt64? { state.withLock { $0.until } }
    /// When something was printed last, or it began.
    var lastChange: ContinuousClock.Instant { state.withLock { $0.lastChange } }

    /// Everything through `position` is out.
    ///
    /// - Returns: whether there is more to come.
    func reach(_ position: Position) -> Bool {
        state.withLock { state in
            state.position = position
            return state.until.map { position.rev < $0 } ?? true
        }
    }

    func touch() { state.withLock { $0.lastChange = .now } }

    /// From now on it ends with this revision.
    ///
    /// - Returns: whether there is more to come.
    func end(with rev: UInt64) -> Bool {
        state.withLock { state in
            state.until = rev
            return state.position.map { $0.rev < rev } ?? true
        }
    }
}
