// SPDX-License-Identifier: Apache-2.0

/// Measures how long a request waited on its way, although the clocks of sender and receiver are not synchronised.
///
/// A request carries `sent_ms`, the time at which it was sent by the sender's own clock. The time by the receiver's
/// clock minus `sent_ms` is an unknown offset plus the time on the way. The smallest such difference on a connection is
/// taken for the offset, so any excess over it is time spent waiting: in a queue, or for a process that was stopped.
/// Only the smallest difference of the last one to two windows counts, because the clocks may drift apart slowly.
/// Setting the time of day has no effect.
///
/// LEDBAT's base delay works in the same way (RFC 6817, 2.4.1). See `Protocol.md`, part Deadlines.
struct RequestAge {
    static let windowMilliseconds: UInt64 = 60_000

    private var windowStart: UInt64 = 0
    private var current: Int64?
    private var previous: Int64?

    /// Returns how many milliseconds longer than the fastest request of this connection a request took to arrive.
    ///
    /// - Parameters:
    ///   - sent: the time of sending by the sender's clock, in milliseconds; 0 if unknown.
    ///   - now: monotonic milliseconds by the receiver's clock.
    mutating func age(sent: UInt64, now: UInt64) -> UInt64 {
        guard sent > 0 else { return 0 }
        if now - min(now, windowStart) >= Self.windowMilliseconds {
            previous = current
            current = nil
            windowStart = now
        }
        let difference = Int64(bitPattern: now &- sent)
        current = min(current ?? difference, difference)
        let base = min(current ?? difference, previous ?? difference)
        return UInt64(max(0, difference &- base))
    }
}
