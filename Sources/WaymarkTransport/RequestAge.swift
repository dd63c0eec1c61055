// SPDX-License-Identifier: Apache-2.0

/// Measures how long a request waited on its way, although the sender's clock and the receiver's are not synchronised.
///
/// A request carries `sent_ms`, the time by the sender's own clock. The difference to the receiver's clock is an
/// unknown offset plus the time on the way. The smallest difference of a connection is taken for the offset, so what
/// exceeds it is time spent waiting: in a queue, or for a process that was stopped. Changes of the time of day have no
/// effect. Only the smallest difference of the last one to two windows counts, so that clocks may drift apart slowly.
///
/// The idea is that of LEDBAT's base delay (RFC 6817, 2.4.1). See `Protocol.md`, part Deadlines.
struct RequestAge {
    static let windowMilliseconds: UInt64 = 60_000

    private var windowStart: UInt64 = 0
    private var current: Int64?
    private var previous: Int64?

    /// The milliseconds by which a request took longer than the fastest request of this connection.
    ///
    /// - Parameters:
    ///   - sent: the time of sending by the sender's clock; 0 if the sender did not say.
    ///   - now: monotonic milliseconds of the receiver.
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
