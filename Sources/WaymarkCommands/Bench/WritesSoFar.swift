// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// What storage counts of its writes.
struct WritesSoFar: Hashable, Sendable {
    var commits: UInt64
    var commands: UInt64

    init(commits: UInt64, commands: UInt64) { (self.commits, self.commands) = (commits, commands) }

    /// Nil where it does not tell.
    init?(_ status: WireStorageStatus) {
        var values: [String: UInt64] = [:]
        for counter in status.counters { values[counter.name] = counter.value }
        guard let commits = values["commits"], let commands = values["commands"] else { return nil }
        self.init(commits: commits, commands: commands)
    }

    /// How many were made durable with one flush, on average; nil when none was, or that is not known.
    static func rowsPerCommit(from before: WritesSoFar?, to after: WritesSoFar?) -> Int? {
        guard let before, let after, after.commits > before.commits, after.commands >= before.commands else {
            return nil
        }
        let (commits, commands) = (after.commits - before.commits, after.commands - before.commands)
        return max(1, Int((commands + commits / 2) / commits))
    }
}
