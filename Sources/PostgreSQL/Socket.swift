// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Waits for libpq's sockets.
enum Socket {
    /// Waits, and returns the events for which the socket is ready; nil if the deadline passes first.
    static func wait(_ descriptor: CInt, for events: CInt, until deadline: Deadline) -> CInt? {
        var entry = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0)
        while true {
            let time = deadline.milliseconds
            if poll(&entry, 1, time) > 0 { return CInt(entry.revents) }
            // poll(2) may return early after a signal, or if the kernel has no memory.
            if time == 0 { return nil }
        }
    }
}
