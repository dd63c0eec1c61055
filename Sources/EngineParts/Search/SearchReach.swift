// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The revision that the text search has reached, for readers that must not wait for its file.
package final class SearchReach: Sendable {
    private let rev = Atomic<UInt64>(0)

    /// The reached revision; 0 until the file has been read.
    var value: UInt64 { rev.load(ordering: .relaxed) }

    func set(_ value: UInt64) { rev.store(value, ordering: .relaxed) }
}
