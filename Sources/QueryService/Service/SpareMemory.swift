// SPDX-License-Identifier: Apache-2.0

import CMemory
import Dispatch

/// Gives memory back to the system once a rush is over.
///
/// What many requests hold while they wait is let go of in no order, between what stays. The C library may keep such
/// memory for the next time.
struct SpareMemory {
    /// Requests in a second that are a rush, and how few mean that it is over.
    private static let (many, few): (UInt64, UInt64) = (5_000, 500)
    /// Bytes that wait and are a rush, however few requests they are.
    private static let heavy: UInt64 = 16 * 1024 * 1024

    private var received: UInt64 = 0
    private var wasRush = false
    /// How often memory was given back.
    private(set) var times: UInt64 = 0

    /// To be called once a second.
    ///
    /// - Parameters:
    ///   - received: messages so far.
    ///   - waiting: bytes of what waits at the moment.
    mutating func look(received: UInt64, waiting: UInt64) {
        let fresh = received - min(received, self.received)
        self.received = received
        if fresh >= Self.many || waiting >= Self.heavy { wasRush = true }
        guard wasRush, fresh <= Self.few, waiting < Self.heavy else { return }
        wasRush = false
        times += 1
        // Some milliseconds for each hundred megabytes: not on the loop.
        DispatchQueue.global(qos: .utility).async { waymark_give_memory_back() }
    }
}
