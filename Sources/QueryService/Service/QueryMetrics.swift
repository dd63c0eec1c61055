// SPDX-License-Identifier: Apache-2.0

public import Monitoring
import ServiceHost
import WaymarkProtocol
internal import WaymarkTransport

/// The numbers of the query service: the only list of them, for Prometheus and, in this order, for `status`.
/// `Monitoring.docc` says when to worry.
public enum QueryMetrics {
    static let table = Array([requests, replica, feed, sources, ofRelay, ofSocket].joined())

    private static let ofRelay = relay.map { $0.of(\QuerySample.relay, isListed: \QuerySample.relay.isThere) }
    private static let ofSocket = RequestMetrics.table.map { $0.of(\QuerySample.requests) }

    private static let requests: [Metric<QuerySample>] = [
        .series(
            .counter(
                "waymark_query_requests_total", labels: ["kind", "result"],
                help: "Answered requests, by kind and by result: ok or the code of the error.")
        ) { $0.tally.lines.map(\.series) },
        .series(
            .times(
                "waymark_query_request_seconds", labels: ["kind"],
                help: "Time from receiving a request to sending its answer.")
        ) { sample in
            RequestKind.allCases.map { ($0, sample.tally.times(of: $0)) }
                .filter { _, times in times.counts.contains { $0 > 0 } }
                .map { kind, times in MetricSeries([kind.name], seconds: times) }
        },
        .status("near", \.counters.near),
        .status("near_by_hand", \.counters.nearByHand),
        .status("list", \.counters.list),
        .status("tile", \.counters.tile),
        .status("search", \.counters.search),
        .status("writes_forwarded", \.counters.writes),
        .status("others", \.counters.others),
        .counter("waymark_query_forwarded_total", \.forwarded, help: "Requests that were forwarded to storage."),
        .counter(
            "waymark_query_forwards_timed_out_total", \.forwardsTimedOut, status: "forwards_timed_out",
            help: "Forwarded requests without an answer in time; it is unknown whether they were done."),
    ]

    private static let replica: [Metric<QuerySample>] = [
        .gauge(
            "waymark_query_replica_revision", \.revision, help: "The revision that the replica has reached."),
        .gauge(
            "waymark_query_replica_lag_revisions", { $0.storageHead - min($0.storageHead, $0.revision) },
            help: "Revisions of storage that the replica has not reached yet."),
        .measure(
            "waymark_query_replica_lag_seconds", { Double($0.age) / 1_000 },
            help: "Time since the last change or beacon from storage."),
        .gauge(
            "waymark_query_ready", { $0.isReady ? 1 : 0 },
            help: "1 once the replica has caught up with storage, else 0."),
        .gauge(
            "waymark_query_storage_connected", { $0.isStorageAway ? 0 : 1 }, help: "1 while storage answers, else 0."),
        .gauge(
            "waymark_query_tiles_ready", { $0.areTilesReady ? 1 : 0 },
            help:
                "1 while map tiles are answered at once, 0 before their order is made. Without the map the first request makes it."
        ),
        .gauge("waymark_query_landmarks", { UInt64($0.landmarks) }, help: "Landmarks in the replica."),
        .counter(
            "waymark_query_replica_loads_total", \.sync.loads, status: "replica_loads",
            help: "How often the whole replica was loaded."),
        .gauge(
            "waymark_query_parked", { UInt64($0.parked) },
            help: "Requests that are waiting for the replica to reach a revision."),
        .counter(
            "waymark_query_parked_total", \.parkedTotal,
            help: "Requests that had to wait for the replica to reach a revision."),
        .status("slow_questions", \.slowQuestions),
        .status("changes_waited", \.changesWaited),
    ]

    private static let feed: [Metric<QuerySample>] = [
        .counter("waymark_query_feed_live_total", \.feeds.live, help: "Changes that arrived live on the feed."),
        .counter("waymark_query_feed_pulled_total", \.feeds.pulled, help: "Changes that were read from the log."),
        .counter(
            "waymark_query_feed_pulls_total", \.feeds.pulls, help: "How often a page of the log was requested."),
        .counter("waymark_query_feed_gaps_total", \.feeds.gaps, help: "How often live changes were found missing."),
        .counter("waymark_query_feed_runs_total", \.feeds.runs, help: "Restarts of storage that the feed noticed."),
        .counter(
            "waymark_query_feed_resumes_total", \.sync.resumes,
            help: "How often the feed was complete again after a gap or a silence."),
        .status("feed_live", \.feed.live),
        .status("feed_pulled", \.feed.pulled),
        .status("feed_pulls", \.feed.pulls),
        .status("feed_gaps", \.feed.gaps),
        .status("feed_runs", \.feed.runs),
    ]

    private static let sources: [Metric<QuerySample>] = [
        .series(
            .counter(
                "waymark_query_fetches_total", labels: ["source", "result"],
                help: "Finished fetches of a source: ingested, not_modified, failed, or left_to_others.")
        ) { sample in
            sample.sources.flatMap { name, source in
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
        ) { sample in
            sample.sources.map { name, source in
                let age = sample.now - min(sample.now, source.lastGood)
                return MetricSeries([name], .number(Double(age) / 1_000))
            }
        },
        .series(
            .gauge(
                "waymark_query_source_rows", labels: ["source"], help: "Rows ingested from the source's last body.")
        ) { sample in
            sample.sources.compactMap { name, source in
                source.rows.map { MetricSeries([name], .number(Double($0))) }
            }
        },
    ]

    private static let relay: [Metric<RelaySample>] = [
        .counter(
            "waymark_query_relay_stretches_total", \.stretches, status: "relay_stretches",
            help: "How often the relay began to publish, with a hole before it: its subscribers ask for what they missed."
        ),
        .gauge(
            "waymark_query_relay_kept_changes", \.kept, status: "relay_kept_changes",
            help: "Recent changes in the relay's memory."),
        .status("relay_kept_bytes", \.keptBytes),
        .counter(
            "waymark_query_relay_answered_total", \.answered, status: "relay_answered",
            help: "Requests for missed changes that the relay answered from memory."),
        .counter(
            "waymark_query_relay_passed_on_total", \.passedOn, status: "relay_passed_on",
            help: "Requests for missed changes that only storage could answer."),
        .counter(
            "waymark_query_relay_published_total", \.feed.published, status: "relay_feed_published",
            help: "Changes that the relay handed to libzmq, once for each topic that they match."),
        .counter(
            "waymark_query_relay_beacons_total", \.feed.beacons, status: "relay_feed_beacons",
            help: "Beacons that the relay handed to libzmq, one for each topic."),
        .status("relay_feed_subscriptions", \.feed.subscriptions),
        .gauge(
            "waymark_query_relay_topics", \.feed.feeds, status: "relay_feed_topics",
            help: "Different filters with subscribers at the relay, plus the filter for everything."),
        .status("relay_feed_unknown_topics", \.feed.unknownTopics),
        .counter(
            "waymark_query_relay_refused_topics_total", \.feed.refusedTopics, status: "relay_feed_refused_topics",
            help:
                "Subscriptions refused by the relay at the limit of topics or of their account's share; these subscribers read the log instead."
        ),
        .status("relay_feed_failures", \.feed.failures),
        .status("relay_feed_held_back", \.feed.heldBack),
        .gauge(
            "waymark_query_relay_held_bytes", \.feed.bytesHeld, status: "relay_feed_bytes_held",
            help: "Bytes of changes that are waiting to be sent to the relay's subscribers."),
        .gauge(
            "waymark_query_relay_connections", \.feed.connections, status: "relay_feed_connections",
            help: "Open connections to the relay's feed; 0 without a relay."),
        .counter(
            "waymark_query_relay_connections_turned_away_total", \.feed.connectionsTurnedAway,
            status: "relay_feed_connections_turned_away",
            help:
                "Connections to the relay's feed refused at the limit of connections, of their account's share, or of file descriptors."
        ),
        .status("relay_feed_cut_off", \.feed.cutOff),
    ]

    /// Every metric that a query process exposes.
    public static let definitions =
        table.compactMap(\.definition) + ProcessMetrics.definitions + [MonitoringPages.loopWait]
}
