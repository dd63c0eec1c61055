// SPDX-License-Identifier: Apache-2.0

import Ingest

/// A configured source that is fetched again and again, and the task that does so.
struct Fetching {
    let source: SourceDefinition
    /// The first fetch does not wait for its time: the source is at another place than it was.
    let isAtOnce: Bool
    var task: Task<Void, Never>?
    /// The pause between two fetches.
    var pause: Task<Void, Never>?
    /// Whether it is to end after the fetch that is under way.
    var isRetired = false

    mutating func retire() {
        isRetired = true
        pause?.cancel()
    }
}
