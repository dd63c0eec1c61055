// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Lets work in until it is closed, and closes when the last of it has left.
public final class Gate<Closed: Error>: Sendable {
    private let isClosed = Mutex(false)
    private let inside = DispatchGroup()
    private let closed: Closed

    /// - Parameter closed: what those are told who come too late.
    public init(closed: Closed) { self.closed = closed }

    public func enter() throws(Closed) {
        let isOpen = isClosed.withLock { isClosed in
            if !isClosed { inside.enter() }
            return !isClosed
        }
        guard isOpen else { throw closed }
    }

    public func leave() { inside.leave() }

    /// Waits for the work that is inside.
    ///
    /// - Returns: false when it was closed before.
    public func close() -> Bool {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        inside.wait()
        return isFirst
    }
}
