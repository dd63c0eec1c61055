// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Lets work enter until the gate is closed. Closing waits until all work that has entered has left.
public final class Gate<Closed: Error>: Sendable {
    private let isClosed = Mutex(false)
    private let inside = DispatchGroup()
    private let closed: Closed

    /// - Parameter closed: the error for work that comes after closing.
    public init(closed: Closed) { self.closed = closed }

    public func enter() throws(Closed) {
        let isOpen = isClosed.withLock { isClosed in
            if !isClosed { inside.enter() }
            return !isClosed
        }
        guard isOpen else { throw closed }
    }

    public func leave() { inside.leave() }

    /// Closes the gate, and waits until all work has left.
    ///
    /// - Returns: false if the gate was already closed.
    public func close() -> Bool {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        inside.wait()
        return isFirst
    }
}
