// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The intended send times of the writes. The writing thread stores them, the receiving thread reads them.
final class SendTimes: Sendable {
    private static let room: UInt64 = 1 << 20

    private struct Ring: Sendable {
        var numbers = [UInt64](repeating: 0, count: Int(SendTimes.room))
        var times = [UInt64](repeating: 0, count: Int(SendTimes.room))
    }

    private let ring = Mutex(Ring())

    func note(_ number: UInt64, _ time: UInt64) {
        ring.withLock { ring in
            ring.numbers[Int(number % Self.room)] = number
            ring.times[Int(number % Self.room)] = time
        }
    }

    /// The intended time of a write; nil if a later write has overwritten it.
    func time(_ number: UInt64) -> UInt64? {
        ring.withLock { ring in
            ring.numbers[Int(number % Self.room)] == number ? ring.times[Int(number % Self.room)] : nil
        }
    }
}
