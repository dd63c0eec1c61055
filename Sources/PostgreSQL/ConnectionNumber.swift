// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Counts the connections of this process.
enum ConnectionNumber {
    private static let last = Atomic<UInt64>(0)

    static func next() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
