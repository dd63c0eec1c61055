// SPDX-License-Identifier: Apache-2.0

import WaymarkTransport

/// The counters of storage, apart from those of its sockets.
struct StorageCounters {
    var commits: UInt64 = 0
    var commands: UInt64 = 0
    var changes: UInt64 = 0
    var failedCommits: UInt64 = 0
    var lastCommit = Duration.zero
    /// Nanoseconds from the first command of a batch until the whole batch was durable.
    var commitTimes = Distribution.times
    /// Number of commands that became durable together.
    var batches = Distribution.sizes
    /// Changes that the log no longer keeps.
    var forgotten: UInt64 = 0
    /// Points of tracks that are no longer kept.
    var forgottenPoints: UInt64 = 0

    mutating func count(_ commit: CommitLoop.Commit) {
        commits += 1
        commands += UInt64(commit.commands)
        changes += UInt64(commit.changes)
        lastCommit = commit.time
        commitTimes.add(UInt64(commit.time / .nanoseconds(1)))
        batches.add(UInt64(commit.commands))
    }
}
