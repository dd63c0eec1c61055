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
    var counters: QueryCounters
    /// Of the feed that is followed now.
    var feed: FeedCounters
    /// Summed over all feeds that were followed.
    var feeds: FeedCounters
    /// 0 before the first replica has caught up.
    var revision: UInt64
    var storageHead: UInt64
    var landmarks: Int
    /// Milliseconds since anything arrived on the feed.
    var age: UInt64
    var isReady: Bool
    var isStorageAway: Bool
    var areTilesReady: Bool
    var parked: Int
    var parkedTotal: UInt64
    var changesWaited: UInt64
    var slowQuestions: UInt64
    var sync: ReplicaSync.Counters
    var forwarded: UInt64
    var forwardsTimedOut: UInt64
    var relay: RelaySample
    /// The counters of each source, by name.
    var sources: [String: SourceCounters]
    /// The time in milliseconds on the clock of ``SourceCounters``.
    var now = Monotonic.milliseconds

    init(_ running: RunningQuery, _ counters: QueryCounters) {
        let (link, sync, reads) = (running.link, running.sync, running.reads)
        self.counters = counters
        (requests, tally) = (running.server.counters, running.server.tally)
        (feed, feeds, self.sync) = (sync.feed?.counters ?? FeedCounters(), sync.feedCounters, sync.counters)
        (revision, landmarks) = (sync.replica?.position.rev ?? 0, sync.replica?.count ?? 0)
        (storageHead, isStorageAway) = (link.facts.head, link.isAway)
        (age, isReady, areTilesReady) = (sync.age, sync.state.isServing, reads.areTilesReady)
        (parked, parkedTotal) = (reads.parked.count, reads.parked.counts.parked)
        (changesWaited, slowQuestions) = (reads.parked.counts.waited, reads.slow.count)
        (forwarded, forwardsTimedOut) = (link.forwarding.count, link.forwarding.timedOut)
        (relay, sources) = (RelaySample(sync.relay), running.sources.counters)
    }
}

extension QueryServer: MonitoredServer {
    public func turn() {}

    public nonisolated func metrics() async -> [MetricFamily]? {
        await sample().map { QueryMetrics.table.families(of: $0) }
    }

    /// Nil while the service is not running.
    private func sample() -> QuerySample? { running.map { QuerySample($0, counters) } }
}
