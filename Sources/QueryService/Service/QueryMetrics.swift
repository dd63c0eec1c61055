// SPDX-License-Identifier: Apache-2.0

public import Monitoring
import ServiceHost
import WaymarkProtocol
internal import WaymarkTransport

/// The single list of the query service's metrics: for Prometheus and, in this order, for `status`. `Monitoring.docc`
/// says which values need attention.
public enum QueryMetrics {
    static let table = Array([requests, replica, feed, sources, ofRelay, ofSocket].joined())

    private static let ofRelay = relay.map { $0.of { (numbers: QueryNumbers) in numbers.sync.relay } }
    private static let ofSocket = RequestMetrics.table.map {
        $0.of { (numbers: QueryNumbers) in numbers.running.server.counters }
    }

    private static let requests: [Metric<QueryNumbers>] = [
        .series(
            .counter(
                "waymark_query_requests_total", labels: ["kind", "result"],
                help: "Answered requests, by kind and by result: ok or the code of the error.")
        ) { $0.running.server.tally.lines.map(\.series) },
        .series(
            .times(
                "waymark_query_request_seconds", labels: ["kind"],
                help: "Time from receiving a request to sending its answer.")
        ) { numbers in
            RequestKind.allCases.map { ($0, numbers.running.server.tally.times(of: $0)) }
                .filter { _, times in times.counts.contains { $0 > 0 } }
                .map { kind, times in MetricSeries([kind.name], seconds: times) }
        },
        .status("near") { $0.counters.sum { $0 == .near } },
        .status("near_by_hand", \.counters.nearByHand),
        .status("list") { $0.counters.sum { $0 == .list } },
        .status("tile") { $0.counters.sum { $0 == .tile } },
        .status("search") { $0.counters.sum { $0 == .search } },
        .status("writes_forwarded") { $0.counters.sum(\.changesLandmarks) },
        .status("others") {
            $0.counters.sum { !$0.changesLandmarks && ![.near, .list, .tile, .search].contains($0) }
        },
        .counter(
            "waymark_query_forwarded_total", \.link.forwarding.count, help: "Requests that were forwarded to storage."),
        .counter(
            "waymark_query_forwards_timed_out_total", \.link.forwarding.timedOut, status: "forwards_timed_out",
            help: "Forwarded requests without an answer in time; it is unknown whether they were done."),
    ]

    private static let replica: [Metric<QueryNumbers>] = [
        .gauge(
            "waymark_query_replica_revision", \.revision, help: "The revision that the replica has reached."),
        .gauge(
            "waymark_query_replica_lag_revisions", { $0.link.state.head - min($0.link.state.head, $0.revision) },
            help: "Revisions of storage that the replica has not reached yet."),
        .measure(
            "waymark_query_replica_lag_seconds", { Double($0.sync.age) / 1_000 },
            help: "Time since the last change or beacon from storage."),
        .gauge(
            "waymark_query_ready", { $0.sync.state.isServing ? 1 : 0 },
            help: "1 once the replica has caught up with storage, else 0."),
        .gauge(
            "waymark_query_storage_connected", { $0.link.isAway ? 0 : 1 }, help: "1 while storage answers, else 0."),
        .gauge(
            "waymark_query_tiles_ready", { $0.running.reads.areTilesReady ? 1 : 0 },
            help:
                "1 once map tiles are answered at once; 0 until their order is made. Without the map the first request makes it."
        ),
        .gauge("waymark_query_landmarks", { UInt64($0.sync.replica?.count ?? 0) }, help: "Landmarks in the replica."),
        .counter(
            "waymark_query_replica_loads_total", \.sync.counters.loads, status: "replica_loads",
            help: "How often the whole replica was loaded."),
        .gauge(
            "waymark_query_parked", { UInt64($0.parked.count) },
            help: "Requests that are waiting for the replica to reach a revision."),
        .counter(
            "waymark_query_parked_total", { $0.parked.counts.parked },
            help: "Requests that had to wait for the replica to reach a revision."),
        .status("slow_questions", \.running.reads.slow.count),
        .status("changes_waited") { $0.parked.counts.waited },
    ]

    private static let feed: [Metric<QueryNumbers>] = [
        .counter("waymark_query_feed_live_total", \.feeds.live, help: "Changes that arrived live on the feed."),
        .counter("waymark_query_feed_pulled_total", \.feeds.pulled, help: "Changes that were read from the log."),
        .counter(
            "waymark_query_feed_pulls_total", \.feeds.pulls, help: "How often a page of the log was requested."),
        .counter("waymark_query_feed_gaps_total", \.feeds.gaps, help: "How often live changes were found missing."),
        .counter("waymark_query_feed_runs_total", \.feeds.runs, help: "Restarts of storage that the feed noticed."),
        .counter(
            "waymark_query_feed_resumes_total", \.sync.counters.resumes,
            help: "How often the feed was complete again after a gap or a silence."),
        .status("feed_live", \.feed.live),
        .status("feed_pulled", \.feed.pulled),
        .status("feed_pulls", \.feed.pulls),
        .status("feed_gaps", \.feed.gaps),
        .status("feed_runs", \.feed.runs),
    ]

    private static let sources: [Metric<QueryNumbers>] = [
        .series(
            .counter(
                "waymark_query_fetches_total", labels: ["source", "result"],
                help: "Finished fetches of a source: ingested, not_modified, failed, or left_to_others.")
        ) { numbers in
            numbers.running.sources.counters.flatMap { name, source in
                [
                    ("ingested", source.ingested), ("not_modified", source.notModified), ("failed", source.failed),
                    ("left_to_others", source.leftToOthers),
                ].map { MetricSeries([name, $0], .number(Double($1))) }
            }
        },
        .series(
            .gauge(
                "waymark_query_source_age_seconds", labels: ["source"],
                help: "Time since this service last fetched the source successfully, or began to fetch it.")
        ) { numbers in
            let now = Monotonic.milliseconds
            return numbers.running.sources.counters.map { name, source in
                let age = now - min(now, source.lastGood)
                return MetricSeries([name], .number(Double(age) / 1_000))
            }
        },
        .series(
            .gauge(
                "waymark_query_source_rows", labels: ["source"], help: "Rows ingested from the source's last body.")
        ) { numbers in
            numbers.running.sources.counters.compactMap { name, source in
                source.rows.map { MetricSeries([name], .number(Double($0))) }
            }
        },
    ]

    private static let relay: [Metric<RelayDesk>] = [
        .counter(
            "waymark_query_relay_stretches_total", \.relay.stretches, status: "relay_stretches",
            help: "How often the relay began to publish after a gap; its subscribers then ask for missed changes."),
        .gauge(
            "waymark_query_relay_kept_changes", { UInt64($0.relay.log?.count ?? 0) }, status: "relay_kept_changes",
            help: "Recent changes in the relay's memory."),
        .status("relay_kept_bytes") { UInt64($0.relay.log?.bytes ?? 0) },
        .counter(
            "waymark_query_relay_answered_total", \.answered, status: "relay_answered",
            help: "Requests for missed changes that the relay answered from memory."),
        .counter(
            "waymark_query_relay_passed_on_total", \.passedOn, status: "relay_passed_on",
            help: "Requests for missed changes that only storage could answer."),
        .counter(
            "waymark_query_relay_published_total", \.publisher.counters.published, status: "relay_feed_published",
            help: "Changes that the relay handed to libzmq, once for each topic that they match."),
        .counter(
            "waymark_query_relay_beacons_total", \.publisher.counters.beacons, status: "relay_feed_beacons",
            help: "Beacons that the relay handed to libzmq, one for each topic."),
        .status("relay_feed_subscriptions", \.publisher.counters.subscriptions),
        .gauge(
            "waymark_query_relay_topics", \.publisher.counters.feeds, status: "relay_feed_topics",
            help: "Different filters with subscribers at the relay, plus the filter for everything."),
        .status("relay_feed_unknown_topics", \.publisher.counters.unknownTopics),
        .counter(
            "waymark_query_relay_refused_topics_total", \.publisher.counters.refusedTopics,
            status: "relay_feed_refused_topics",
            help:
                "Subscriptions refused by the relay at the limit of topics or of their account's share; these subscribers read the log instead."
        ),
        .status("relay_feed_failures", \.publisher.counters.failures),
        .status("relay_feed_held_back", \.publisher.counters.heldBack),
        .gauge(
            "waymark_query_relay_held_bytes", \.publisher.counters.bytesHeld, status: "relay_feed_bytes_held",
            help: "Bytes of changes that are waiting to be sent to the relay's subscribers."),
        .gauge(
            "waymark_query_relay_connections", \.publisher.counters.connections, status: "relay_feed_connections",
            help: "Open connections to the relay's feed; 0 without a relay."),
        .counter(
            "waymark_query_relay_connections_turned_away_total", \.publisher.counters.connectionsTurnedAway,
            status: "relay_feed_connections_turned_away",
            help:
                "Connections to the relay's feed refused at the limit of connections, of their account's share, or of file descriptors."
        ),
        .status("relay_feed_cut_off", \.publisher.counters.cutOff),
    ]

    /// The definitions of all metrics of a query process.
    public static let definitions =
        table.compactMap(\.definition) + ProcessMetrics.definitions + [MonitoringPages.loopWait]
}
