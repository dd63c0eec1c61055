// SPDX-License-Identifier: Apache-2.0

import WaymarkTransport

/// The counters of storage, except those of its sockets.
struct StorageCounters {
    var commits: UInt64 = 0
    var commands: UInt64 = 0
    var changes: UInt64 = 0
    var failedCommits: UInt64 = 0
    var lastCommit = Duration.zero
    /// Nanoseconds from handing a batch to the engine until the batch was durable.
    var commitTimes = Distribution.times
    /// The number of commands in each batch. One flush to the disk makes a batch durable.
    var batches = Distribution.sizes
    /// The number of changes deleted from the log.
    var forgotten: UInt64 = 0
    /// The number of points deleted from tracks.
    var forgottenPoints: UInt64 = 0

    /// - Parameter time: from handing the batch to the engine until the batch was durable.
    mutating func committed(_ batch: Int, changes count: Int, in time: Duration) {
        commits += 1
        commands += UInt64(batch)
        changes += UInt64(count)
        lastCommit = time
        commitTimes.add(UInt64(time / .nanoseconds(1)))
        batches.add(UInt64(batch))
    }
}
