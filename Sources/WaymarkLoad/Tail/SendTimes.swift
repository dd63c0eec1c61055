// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// When each write was meant to be sent: told by the thread that writes, asked by the one that hears of it.
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

    /// Nil: so many were sent since that it is forgotten.
    func time(_ number: UInt64) -> UInt64? {
        ring.withLock { ring in
            ring.numbers[Int(number % Self.room)] == number ? ring.times[Int(number % Self.room)] : nil
        }
    }
}
