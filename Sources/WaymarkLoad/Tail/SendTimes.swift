// SPDX-License-Identifier: Apache-2.0

import LoadTest
import Synchronization

/// The times at which the writes were meant to be sent. The writing thread stores them, the receiving thread reads
/// them.
final class SendTimes: Sendable {
    private static let room: UInt64 = 1 << 20

    private struct Entry: Sendable {
        var number: UInt64 = 0
        var time: UInt64 = 0
    }

    private let ring = Mutex([Entry](repeating: Entry(), count: Int(SendTimes.room)))

    func note(_ number: UInt64, _ time: UInt64) {
        ring.withLock { $0[Int(number % Self.room)] = Entry(number: number, time: time) }
    }

    /// Returns the intended time of a write; nil if a later write has overwritten it.
    func time(_ number: UInt64) -> UInt64? {
        let entry = ring.withLock { $0[Int(number % Self.room)] }
        return entry.number == number ? entry.time : nil
    }

    /// Makes the arrival of a change, which belongs to a different test without the number of a known write.
    func arrival(of number: UInt64?, bytes: Int, order: UInt64) -> StreamArrival {
        let known = number.flatMap { self.time($0) }
        return StreamArrival(number: known == nil ? nil : number, intended: known ?? 0, bytes: bytes, order: order)
    }
}
