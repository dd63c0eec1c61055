// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
internal import Landmarks
public import Monitoring
public import ServiceHost
import WaymarkProtocol
internal import WaymarkTransport

/// The values of the query service at one moment, as its loop reports them.
struct QuerySample: Sendable {
    var requests: RequestCounters
    var tally: RequestTally
    /// Summed over all feeds that were followed.
    var feed: FeedCounters
    /// Nil before the first replica has caught up.
    var revision: UInt64?
    var storageHead: UInt64
    var landmarks: Int
    /// Milliseconds since anything arrived on the feed.
    var age: UInt64
    var isReady: Bool
    var isStorageAway: Bool
    var areTilesReady: Bool
    var parked: Int
    var parkedTotal: UInt64
    var sync: ReplicaSync.Counters
    var forwarded: UInt64
    var forwardsTimedOut: UInt64
    var relay: RelaySample
    /// The counters of each source, by name.
    var sources: [String: SourceCounters]
    /// The time in milliseconds on the clock of ``SourceCounters``.
    var now: UInt64
}

extension QueryServer: MonitoredServer {
    public func turn() {}

    public nonisolated func metrics(in registry: MetricsRegistry) -> any MetricsSource {
        QueryMonitor(of: self, in: registry)
    }

    /// Nil while the service is not running.
    func sample() -> QuerySample? {
        guard let running else { return nil }
        let (link, sync, parked) = (running.link, running.sync, running.reads.parked)
        return QuerySample(
            requests: running.server.counters, tally: running.server.tally, feed: sync.feedCounters,
            revision: sync.replica?.position.rev, storageHead: link.facts.head, landmarks: sync.replica?.count ?? 0,
            age: sync.age, isReady: sync.state.isServing, isStorageAway: link.isAway, areTilesReady: areTilesReady,
            parked: parked.count, parkedTotal: parked.counts.parked, sync: sync.counters,
            forwarded: link.forwarding.count, forwardsTimedOut: link.forwarding.timedOut,
            relay: RelaySample(sync.relay), sources: running.sources.counters, now: Monotonic.milliseconds)
    }
}

/// Copies the values of the query service into metrics: one hop onto the loop, the rest away from it.
actor QueryMonitor: MetricsSource {
    private let server: QueryServer
    private var mirror: MetricsMirror

    init(of server: QueryServer, in registry: MetricsRegistry) {
        self.server = server
        registry.describe(QueryMetrics.definitions)
        mirror = MetricsMirror(registry)
    }

    func collect() async {
        guard let sample = await server.sample() else { return }
        for line in sample.tally.lines {
            mirror.count(QueryMetrics.requests, line.kind.name, line.refusal?.name ?? "ok", total: line.count)
        }
        for kind in RequestKind.allCases {
            let times = sample.tally.times(of: kind)
            if times.counts.contains(where: { $0 > 0 }) {
                mirror.time(QueryMetrics.requestTimes, times, kind.name)
            }
        }
        take(sample)
        take(sample.feed)
        sample.relay.write(to: &mirror)
        take(sample.sources, now: sample.now)
        mirror.take(sample.requests)
    }

    private func take(_ sample: QuerySample) {
        let revision = sample.revision ?? 0
        mirror.set(QueryMetrics.revision, to: Double(revision))
        mirror.set(QueryMetrics.lagRevisions, to: Double(sample.storageHead - min(sample.storageHead, revision)))
        mirror.set(QueryMetrics.lagSeconds, to: Double(sample.age) / 1_000)
        mirror.set(QueryMetrics.ready, to: sample.isReady ? 1 : 0)
        mirror.set(QueryMetrics.connected, to: sample.isStorageAway ? 0 : 1)
        mirror.set(QueryMetrics.tilesReady, to: sample.areTilesReady ? 1 : 0)
        mirror.set(QueryMetrics.landmarks, to: Double(sample.landmarks))
        mirror.set(QueryMetrics.parked, to: Double(sample.parked))
        mirror.count(QueryMetrics.parkedTotal, total: sample.parkedTotal)
        mirror.count(QueryMetrics.resumes, total: sample.sync.resumes)
        mirror.count(QueryMetrics.loads, total: sample.sync.loads)
        mirror.count(QueryMetrics.forwarded, total: sample.forwarded)
        mirror.count(QueryMetrics.forwardsTimedOut, total: sample.forwardsTimedOut)
    }

    private func take(_ feed: FeedCounters) {
        mirror.count(QueryMetrics.live, total: feed.live)
        mirror.count(QueryMetrics.pulled, total: feed.pulled)
        mirror.count(QueryMetrics.pulls, total: feed.pulls)
        mirror.count(QueryMetrics.gaps, total: feed.gaps)
        mirror.count(QueryMetrics.runs, total: feed.runs)
    }

    private func take(_ sources: [String: SourceCounters], now: UInt64) {
        var (ages, rows): ([[String]: Double], [[String]: Double]) = ([:], [:])
        for (name, source) in sources {
            let results = [
                ("ingested", source.ingested), ("not_modified", source.notModified), ("failed", source.failed),
                ("left_to_others", source.leftToOthers),
            ]
            for (result, count) in results { mirror.count(QueryMetrics.fetches, name, result, total: count) }
            ages[[name]] = Double(now - min(now, source.lastGood)) / 1_000
            if let count = source.rows { rows[[name]] = Double(count) }
        }
        mirror.replace(QueryMetrics.sourceAge, with: ages)
        mirror.replace(QueryMetrics.sourceRows, with: rows)
    }
}
