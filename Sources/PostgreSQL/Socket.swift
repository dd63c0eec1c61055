// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Waits for libpq's sockets.
enum Socket {
    /// - Returns: the events that the socket is ready for; nil when the time is over.
    static func wait(_ descriptor: CInt, for events: CInt, until deadline: Deadline) -> CInt? {
        var entry = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0)
        while true {
            let time = deadline.milliseconds
            if poll(&entry, 1, time) > 0 { return CInt(entry.revents) }
            // poll(2) also comes back early after a signal, or if the kernel has no memory.
            if time == 0 { return nil }
        }
    }
}
