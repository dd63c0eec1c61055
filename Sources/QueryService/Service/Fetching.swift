// SPDX-License-Identifier: Apache-2.0

import Ingest

/// A configured source that is fetched repeatedly, and the task that fetches it.
struct Fetching {
    let source: SourceDefinition
    /// Whether the first fetch starts at once, because the source's address or format has changed.
    let isAtOnce: Bool
    var task: Task<Void, Never>?
    /// The pause between two fetches.
    var pause: Task<Void, Never>?
    /// Whether the task has to end after the present fetch.
    var isRetired = false

    mutating func retire() {
        isRetired = true
        pause?.cancel()
    }
}

/// The configured sources and the tasks that fetch them.
struct Fetchings {
    /// The sources in the present configuration.
    var sources: [SourceDefinition]
    /// One for each source, and for removed sources whose last fetch is under way.
    var running: [Int: Fetching] = [:]
    private var last = 0

    init(_ sources: [SourceDefinition]) { self.sources = sources }

    /// - Returns: the number of the new task.
    mutating func add(_ fetching: Fetching) -> Int {
        last += 1
        running[last] = fetching
        return last
    }
}
