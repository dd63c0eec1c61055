// SPDX-License-Identifier: Apache-2.0

import CShims
import Dispatch

/// Returns freed memory to the system after a rush of requests, and after a load.
///
/// Waiting requests free their memory in no particular order, between blocks that stay in use. The C library may keep
/// such memory instead of returning it.
struct HeapTrimmer {
    /// A rush begins when at least `many` messages arrive in a second, and ends when at most `few` do.
    private static let (many, few): (UInt64, UInt64) = (5_000, 500)
    /// The size in bytes of waiting requests and answers that also counts as a rush.
    private static let heavy: UInt64 = 16 * 1024 * 1024

    private var received: UInt64 = 0
    private var wasRush = false
    /// How many times memory was returned.
    private(set) var times: UInt64 = 0

    /// Returns memory if a rush has just ended. Must be called once a second.
    ///
    /// - Parameters:
    ///   - received: the number of messages received so far.
    ///   - waiting: the size in bytes of the requests and answers that are waiting now.
    mutating func look(received: UInt64, waiting: UInt64) {
        let fresh = received - min(received, self.received)
        self.received = received
        if fresh >= Self.many || waiting >= Self.heavy { wasRush = true }
        guard wasRush, fresh <= Self.few, waiting < Self.heavy else { return }
        wasRush = false
        times += 1
        Self.trim()
    }

    /// Keeps a load's large arrays out of the heaps, where they would leave free memory behind.
    static func limit() { waymark_limit_heap(1 << 20, 2 << 20) }

    static func trim() {
        // Returning memory takes some milliseconds for each hundred megabytes, so another thread does it.
        DispatchQueue.global(qos: .utility).async { waymark_trim_heap() }
    }
}
