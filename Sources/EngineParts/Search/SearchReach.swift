// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The newest revision in the index of the text search, for readers that must not wait for the file.
package final class SearchReach: Sendable {
    private let rev = Atomic<UInt64>(0)

    package init() {}

    /// The newest revision in the index; 0 if the file has not been read yet.
    var value: UInt64 { rev.load(ordering: .relaxed) }

    func set(_ value: UInt64) { rev.store(value, ordering: .relaxed) }
}
