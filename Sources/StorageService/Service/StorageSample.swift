// SPDX-License-Identifier: Apache-2.0

import Glibc
import Landmarks
public import Monitoring
public import ServiceHost
import WaymarkTransport

/// Storage's numbers at one moment, copied on its loop.
struct StorageSample: Sendable {
    var position: Position
    var floor: UInt64
    var isWritable: Bool
    /// Whether the disk is full or the last write has failed, as far as is known at this moment.
    var refusesWrites: Bool
    var counters: StorageCounters
    var backups: UInt64
    var requests: RequestCounters
    var tally: RequestTally
    var feed: FeedPublisherCounters
    /// Read away from the loop; nil where nobody asks, and without a directory.
    var files: StorageFiles?

    init(_ running: RunningStorage) {
        let (commits, server) = (running.commits, running.replies.server)
        let lane = commits.lane
        (position, floor) = (lane.position, lane.floor)
        (isWritable, refusesWrites) = (lane.condition == .writable, lane.remote.condition != .writable)
        (counters, backups, feed) = (commits.counters, running.backups.count, commits.publisher.counters)
        (requests, tally) = (server.counters, server.tally)
    }
}

extension StorageServer: MonitoredServer {
    public func turn() {}

    public nonisolated func metrics() async -> [MetricFamily]? {
        guard var numbers = await sample() else { return nil }
        numbers.files = options.directory.map { StorageFiles($0) }
        return StorageMetrics.table.families(of: numbers)
    }

    /// Nil while storage does not run.
    private func sample() -> StorageSample? { running.map { StorageSample($0) } }
}

/// Sizes in bytes of the files that ``DataDirectory`` lists; zero for a missing one.
struct StorageFiles: Sendable {
    var database: Double
    var log: Double
    var search: Double
    /// Nil if it cannot be told.
    var free: Double?

    init(_ directory: String) {
        let size = { (name: String) -> Double in
            var file = stat()
            return stat("\(directory)/\(name)", &file) == 0 ? Double(file.st_size) : 0
        }
        (database, log) = (size("waymark.sqlite"), size("waymark.sqlite-wal"))
        search = size("search.sqlite") + size("search.sqlite-wal")
        var system = statvfs()
        if statvfs(directory, &system) == 0 { free = Double(system.f_bavail) * Double(system.f_frsize) }
    }
}
