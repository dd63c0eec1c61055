// SPDX-License-Identifier: Apache-2.0

import Monitoring
internal import WaymarkTransport

/// The values of a relay at one moment; all are zero without one.
struct RelaySample: Sendable {
    private var feed = FeedPublisherCounters()
    private var kept = 0
    private var stretches: UInt64 = 0
    private var answered: UInt64 = 0
    private var passedOn: UInt64 = 0

    init(_ desk: RelayDesk?) {
        feed.feeds = 0
        guard let desk else { return }
        (feed, kept, stretches) = (desk.publisher.counters, desk.log?.count ?? 0, desk.relay.stretches)
        (answered, passedOn) = (desk.answered, desk.passedOn)
    }

    func write(to mirror: inout MetricsMirror) {
        mirror.set(QueryMetrics.relayConnections, to: Double(feed.connections))
        mirror.set(QueryMetrics.relayTopics, to: Double(feed.feeds))
        mirror.count(QueryMetrics.relayTurnedAway, total: feed.connectionsTurnedAway)
        mirror.count(QueryMetrics.relayRefusedTopics, total: feed.refusedTopics)
        mirror.count(QueryMetrics.relayPublished, total: feed.published)
        mirror.count(QueryMetrics.relayBeacons, total: feed.beacons)
        mirror.set(QueryMetrics.relayHeldBytes, to: Double(feed.bytesHeld))
        mirror.set(QueryMetrics.relayKept, to: Double(kept))
        mirror.count(QueryMetrics.relayStretches, total: stretches)
        mirror.count(QueryMetrics.relayAnswered, total: answered)
        mirror.count(QueryMetrics.relayPassedOn, total: passedOn)
    }
}
