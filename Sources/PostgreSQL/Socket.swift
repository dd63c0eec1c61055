// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Waits for libpq's sockets.
enum Socket {
    /// - Returns: what it is ready for; nil when the time is over.
    static func wait(_ descriptor: CInt, for events: CInt, until deadline: Deadline) -> CInt? {
        wait(descriptor, for: events, orReadable: -1, until: deadline)?.events
    }

    /// - Parameter other: a second descriptor that may end the wait; -1: none.
    /// - Returns: what the first one is ready for, or 0; nil when the time is over.
    static func wait(
        _ descriptor: CInt, for events: CInt, orReadable other: CInt, until deadline: Deadline
    ) -> (events: CInt, isOtherReadable: Bool)? {
        var entries = (
            pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0),
            // "If this field is negative, then the corresponding events field is ignored".
            pollfd(fd: other, events: Int16(POLLIN), revents: 0)
        )
        while true {
            let time = deadline.milliseconds
            let count = withUnsafeMutablePointer(to: &entries) { entries in
                entries.withMemoryRebound(to: pollfd.self, capacity: 2) { poll($0, 2, time) }
            }
            if count > 0 { return (CInt(entries.0.revents), entries.1.revents != 0) }
            // Also after a signal, or where the kernel has no memory.
            if time == 0 { return nil }
        }
    }
}
