// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
public import Monitoring
public import ServiceHost
import WaymarkProtocol
import WaymarkTransport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Storage's numbers at one moment, copied on its loop.
struct StorageSample: Sendable {
    var position: Position
    var floor: UInt64
    var isWritable: Bool
    var counters: StorageCounters
    var backups: UInt64
    var requests: RequestCounters
    var tally: RequestTally
    var feed: FeedPublisherCounters
}

extension StorageServer: MonitoredServer {
    public func turn() {}

    public nonisolated func metrics(in registry: MetricsRegistry) -> any MetricsSource {
        StorageMonitor(of: self, directory: options.directory, in: registry)
    }

    /// Nil while storage does not run.
    func sample() -> StorageSample? {
        guard let running else { return nil }
        let (lane, server, commits) = (running.commits.lane, running.server, running.commits)
        return StorageSample(
            position: lane.position, floor: lane.floor, isWritable: lane.condition == .writable,
            counters: commits.counters, backups: running.backups.count, requests: server.counters,
            tally: server.tally, feed: commits.publisher.counters)
    }
}

/// Copies storage's numbers to metrics. It takes them in one turn of the loop, and does the rest elsewhere.
actor StorageMonitor: MetricsSource {
    private let server: StorageServer
    private let directory: String?
    private var mirror: MetricsMirror

    init(of server: StorageServer, directory: String?, in registry: MetricsRegistry) {
        self.server = server
        self.directory = directory
        registry.describe(StorageMetrics.definitions)
        mirror = MetricsMirror(registry)
    }

    func collect() async {
        guard let sample = await server.sample() else { return }
        take(sample)
        if let directory { measure(directory) }
    }

    private func take(_ sample: StorageSample) {
        for line in sample.tally.lines {
            mirror.count(
                StorageMetrics.commands, line.kind.name, line.refusal?.name ?? "ok", total: line.count)
        }
        var (reads, writes) = (Distribution.times, Distribution.times)
        for kind in RequestKind.allCases {
            let times = sample.tally.times(of: kind)
            if kind.isWrite { writes += times } else { reads += times }
        }
        mirror.time(StorageMetrics.commandTimes, reads, "read")
        mirror.time(StorageMetrics.commandTimes, writes, "write")
        let counters = sample.counters
        mirror.distribute(
            StorageMetrics.batches, counts: counters.batches.counts, sum: Double(counters.batches.sum))
        mirror.time(StorageMetrics.commitTimes, counters.commitTimes)
        mirror.count(StorageMetrics.commitsFailed, total: counters.failedCommits)
        mirror.set(StorageMetrics.writable, to: sample.isWritable ? 1 : 0)
        mirror.count(StorageMetrics.changes, total: counters.changes)
        mirror.count(StorageMetrics.backups, total: counters.backups)
        mirror.count(StorageMetrics.forgotten, total: counters.forgotten)
        mirror.set(StorageMetrics.head, to: Double(sample.position.rev))
        mirror.set(StorageMetrics.floor, to: Double(sample.floor))
        let names = [sample.position.epoch, sample.position.run].map { $0.map { "\($0)" } ?? "" }
        mirror.replace(StorageMetrics.epoch, with: [names: 1])
        take(sample.feed)
        mirror.take(sample.requests)
    }

    private func take(_ feed: FeedPublisherCounters) {
        mirror.set(StorageMetrics.connections, to: Double(feed.connections))
        mirror.set(StorageMetrics.topics, to: Double(feed.feeds))
        mirror.count(StorageMetrics.subscriptions, total: feed.subscriptions)
        mirror.count(StorageMetrics.published, total: feed.published)
        mirror.count(StorageMetrics.heldBack, total: feed.heldBack)
        mirror.set(StorageMetrics.heldBytes, to: Double(feed.bytesHeld))
        mirror.count(StorageMetrics.turnedAway, total: feed.connectionsTurnedAway)
        mirror.count(StorageMetrics.beacons, total: feed.beacons)
        mirror.count(StorageMetrics.unknownTopics, total: feed.unknownTopics)
        mirror.count(StorageMetrics.refusedTopics, total: feed.refusedTopics)
    }

    /// The files that ``DataDirectory`` lists.
    private func measure(_ directory: String) {
        mirror.set(StorageMetrics.databaseBytes, to: size("\(directory)/waymark.sqlite"))
        mirror.set(StorageMetrics.walBytes, to: size("\(directory)/waymark.sqlite-wal"))
        mirror.set(
            StorageMetrics.searchBytes,
            to: size("\(directory)/search.sqlite") + size("\(directory)/search.sqlite-wal"))
        var system = statvfs()
        if statvfs(directory, &system) == 0 {
            mirror.set(StorageMetrics.diskFree, to: Double(system.f_bavail) * Double(system.f_frsize))
        }
    }

    /// Bytes; zero for a missing file.
    private func size(_ path: String) -> Double {
        var file = stat()
        return stat(path, &file) == 0 ? Double(file.st_size) : 0
    }
}
