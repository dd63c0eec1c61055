// SPDX-License-Identifier: Apache-2.0

import Landmarks
import ZeroMQ

/// The progress of a `tail`, shared with the tasks that decide when it ends.
final class TailProgress: Sendable {
    private struct State {
        var position: Position?
        var until: UInt64?
    }

    private let state = Locked(State())

    var position: Position? { state.withLock { $0.position } }
    var until: UInt64? { state.withLock { $0.until } }

    /// Records that everything up to `position` was printed.
    ///
    /// - Returns: whether `tail` has more to print.
    func reach(_ position: Position) -> Bool {
        state.withLock { state in
            state.position = position
            return state.until.map { position.rev < $0 } ?? true
        }
    }

    /// Sets the last revision that `tail` prints.
    ///
    /// - Returns: whether `tail` has more to print.
    func end(with rev: UInt64) -> Bool {
        state.withLock { state in
            state.until = rev
            return state.position.map { $0.rev < rev } ?? true
        }
    }
}
