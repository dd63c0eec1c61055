// SPDX-License-Identifier: Apache-2.0

import CShims
import Dispatch

/// Returns freed memory to the system after a rush of requests, and after a load.
///
/// Waiting requests free their memory in no particular order, between blocks that stay in use. The C library may keep
/// such memory for later.
struct HeapTrimmer {
    /// Requests a second that begin a rush, and the number at which it is over.
    private static let (many, few): (UInt64, UInt64) = (5_000, 500)
    /// Waiting bytes that count as a rush, however few the requests are.
    private static let heavy: UInt64 = 16 * 1024 * 1024

    private var received: UInt64 = 0
    private var wasRush = false
    /// Times that memory was returned.
    private(set) var times: UInt64 = 0

    /// Looks for the end of a rush. Must be called once a second.
    ///
    /// - Parameters:
    ///   - received: messages received so far.
    ///   - waiting: bytes of the requests and answers that wait at the moment.
    mutating func look(received: UInt64, waiting: UInt64) {
        let fresh = received - min(received, self.received)
        self.received = received
        if fresh >= Self.many || waiting >= Self.heavy { wasRush = true }
        guard wasRush, fresh <= Self.few, waiting < Self.heavy else { return }
        wasRush = false
        times += 1
        Self.trim()
    }

    static func trim() {
        // Returning memory takes some milliseconds for each hundred megabytes, so it runs off the loop.
        DispatchQueue.global(qos: .utility).async { waymark_trim_heap() }
    }
}
