// SPDX-License-Identifier: Apache-2.0

import WaymarkTransport

/// The counters of storage, without those of its sockets.
struct StorageCounters {
    var commits: UInt64 = 0
    var commands: UInt64 = 0
    var changes: UInt64 = 0
    var failedCommits: UInt64 = 0
    var lastCommit = Duration.zero
    /// Nanoseconds from the first command of a batch until the whole batch was durable.
    var commitTimes = Distribution.times
    /// Commands in each batch, which one flush makes durable.
    var batches = Distribution.sizes
    /// Changes deleted from the log.
    var forgotten: UInt64 = 0
    /// Points deleted from tracks.
    var forgottenPoints: UInt64 = 0

    /// - Parameter time: from the batch's arrival until it was durable.
    mutating func committed(_ batch: Int, changes count: Int, in time: Duration) {
        commits += 1
        commands += UInt64(batch)
        changes += UInt64(count)
        lastCommit = time
        commitTimes.add(UInt64(time / .nanoseconds(1)))
        batches.add(UInt64(batch))
    }
}
