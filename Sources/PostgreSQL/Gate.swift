// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Lets work in until it is closed, and closes when the last of it has left.
final class Gate: Sendable {
    private let isClosed = Mutex(false)
    private let inside = DispatchGroup()

    /// - Throws: ``PostgreSQLError/closed``.
    func enter() throws(PostgreSQLError) {
        let isOpen = isClosed.withLock { isClosed in
            if !isClosed { inside.enter() }
            return !isClosed
        }
        guard isOpen else { throw .closed }
    }

    func leave() { inside.leave() }

    /// Waits for the work that is inside.
    ///
    /// - Returns: false when it was closed before.
    func close() -> Bool {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        inside.wait()
        return isFirst
    }
}
