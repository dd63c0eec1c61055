// SPDX-License-Identifier: Apache-2.0

import WaymarkClient

/// The counts of storage's commits and commands since its start.
struct WritesSoFar: Hashable, Sendable {
    var commits: UInt64
    var commands: UInt64

    /// Returns the average number of commands in one commit; nil if nothing was committed or the number is unknown.
    static func rowsPerCommit(from before: WritesSoFar?, to after: WritesSoFar?) -> Int? {
        guard let before, let after, after.commits > before.commits, after.commands >= before.commands else {
            return nil
        }
        let (commits, commands) = (after.commits - before.commits, after.commands - before.commands)
        return max(1, Int((commands + commits / 2) / commits))
    }
}

extension WritesSoFar {
    /// Reads the counters from a status; nil if the status lacks them.
    init?(_ status: StorageStatus) {
        func value(_ name: String) -> UInt64? { status.counters.first { $0.name == name }?.value }
        guard let commits = value("commits"), let commands = value("commands") else { return nil }
        self.init(commits: commits, commands: commands)
    }
}
