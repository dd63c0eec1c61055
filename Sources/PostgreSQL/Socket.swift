// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Waits for libpq's sockets.
enum Socket {
    /// - Returns: what it is ready for; nil when the time is over.
    static func wait(_ descriptor: CInt, for events: CInt, until deadline: Deadline) -> CInt? {
        var entry = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0)
        while true {
            let time = deadline.milliseconds
            if poll(&entry, 1, time) > 0 { return CInt(entry.revents) }
            // Also after a signal, or where the kernel has no memory.
            if time == 0 { return nil }
        }
    }
}
