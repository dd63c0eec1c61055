// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How far the text search has read the log, for those who must not wait for its file.
final class SearchReach: Sendable {
    private let rev = Atomic<UInt64>(0)

    /// 0 until it has looked into its file.
    var value: UInt64 { rev.load(ordering: .relaxed) }

    func set(_ value: UInt64) { rev.store(value, ordering: .relaxed) }
}
