// SPDX-License-Identifier: Apache-2.0

/// Tells how long a request has been on its way, without comparing two clocks.
///
/// A request carries `sent_ms`, the sender's own clock. The difference to the receiver's clock is an unknown offset
/// plus the time on the way; the smallest difference seen of a connection stands for the offset, so what exceeds it
/// is time spent waiting: in a queue, or before a process that was stopped. Wall clocks may jump as they like. The
/// smallest difference of the last one to two windows counts, so that clocks which drift apart do no harm.
///
/// The idea is that of LEDBAT's base delay (RFC 6817, 2.4.1). See `Protocol.md`, part Deadlines.
struct RequestAge {
    static let windowMilliseconds: UInt64 = 60_000

    private var windowStart: UInt64 = 0
    private var current: Int64?
    private var previous: Int64?

    /// Milliseconds beyond the fastest request of this connection.
    ///
    /// - Parameters:
    ///   - sent: the sender's clock when it was sent; 0 when it did not tell.
    ///   - now: the receiver's monotonic clock.
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
