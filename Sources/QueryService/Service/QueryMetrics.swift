// SPDX-License-Identifier: Apache-2.0

public import Monitoring
import ServiceHost

/// The metrics of the query service; those of both services are elsewhere. `Monitoring.docc` says when to worry.
public enum QueryMetrics {
    static let requests = MetricDefinition.counter(
        "waymark_query_requests_total", labels: ["kind", "result"],
        help: "Answered requests, by kind and by result: ok or the code of the error.")
    static let requestTimes = MetricDefinition.histogram(
        "waymark_query_request_seconds", labels: ["kind"], bounds: MetricDefinition.timeBounds,
        help: "Time from receiving a request to sending its answer.")
    static let revision = MetricDefinition.gauge(
        "waymark_query_replica_revision", help: "The revision that the replica has reached.")
    static let lagRevisions = MetricDefinition.gauge(
        "waymark_query_replica_lag_revisions",
        help: "Revisions of storage that the replica has not reached yet.")
    static let lagSeconds = MetricDefinition.gauge(
        "waymark_query_replica_lag_seconds", help: "Time since the last change or beacon from storage.")
    static let ready = MetricDefinition.gauge(
        "waymark_query_ready", help: "1 once the replica has caught up with storage, else 0.")
    static let connected = MetricDefinition.gauge(
        "waymark_query_storage_connected", help: "1 while storage answers, else 0.")
    static let tilesReady = MetricDefinition.gauge(
        "waymark_query_tiles_ready",
        help:
            "1 while map tiles are answered at once, 0 before their order is made. Without the map the first request makes it."
    )
    static let landmarks = MetricDefinition.gauge("waymark_query_landmarks", help: "Landmarks in the replica.")
    static let live = MetricDefinition.counter(
        "waymark_query_feed_live_total", help: "Changes that arrived live on the feed.")
    static let pulled = MetricDefinition.counter(
        "waymark_query_feed_pulled_total", help: "Changes that were read from the log.")
    static let pulls = MetricDefinition.counter(
        "waymark_query_feed_pulls_total", help: "How often a page of the log was requested.")
    static let gaps = MetricDefinition.counter(
        "waymark_query_feed_gaps_total", help: "How often live changes were found missing.")
    static let runs = MetricDefinition.counter(
        "waymark_query_feed_runs_total", help: "Restarts of storage that the feed noticed.")
    static let resumes = MetricDefinition.counter(
        "waymark_query_feed_resumes_total", help: "How often the feed was complete again after a gap or a silence.")
    static let loads = MetricDefinition.counter(
        "waymark_query_replica_loads_total", help: "How often the whole replica was loaded.")
    static let forwarded = MetricDefinition.counter(
        "waymark_query_forwarded_total", help: "Requests that were forwarded to storage.")
    static let forwardsTimedOut = MetricDefinition.counter(
        "waymark_query_forwards_timed_out_total",
        help: "Forwarded requests without an answer in time; it is unknown whether they were done.")
    static let parked = MetricDefinition.gauge(
        "waymark_query_parked", help: "Requests that are waiting for the replica to reach a revision.")
    static let parkedTotal = MetricDefinition.counter(
        "waymark_query_parked_total", help: "Requests that had to wait for the replica to reach a revision.")
    static let fetches = MetricDefinition.counter(
        "waymark_query_fetches_total", labels: ["source", "result"],
        help: "Finished fetches of a source: ingested, not_modified, failed, or left_to_others.")
    static let sourceAge = MetricDefinition.gauge(
        "waymark_query_source_age_seconds", labels: ["source"],
        help: "Time since this service last fetched the source successfully, or began to fetch it.")
    static let sourceRows = MetricDefinition.gauge(
        "waymark_query_source_rows", labels: ["source"], help: "Rows ingested from the source's last body.")

    static let relayConnections = MetricDefinition.gauge(
        "waymark_query_relay_connections", help: "Open connections to the relay's feed; 0 without a relay.")
    static let relayTopics = MetricDefinition.gauge(
        "waymark_query_relay_topics",
        help: "Different filters with subscribers at the relay, plus the filter for everything.")
    static let relayTurnedAway = MetricDefinition.counter(
        "waymark_query_relay_connections_turned_away_total",
        help:
            "Connections to the relay's feed refused at the limit of connections, of their account's share, or of file descriptors."
    )
    static let relayRefusedTopics = MetricDefinition.counter(
        "waymark_query_relay_refused_topics_total",
        help:
            "Subscriptions refused by the relay at the limit of topics or of their account's share; these subscribers read the log instead."
    )
    static let relayPublished = MetricDefinition.counter(
        "waymark_query_relay_published_total",
        help: "Changes that the relay handed to libzmq, once for each topic that they match.")
    static let relayBeacons = MetricDefinition.counter(
        "waymark_query_relay_beacons_total", help: "Beacons that the relay handed to libzmq, one for each topic.")
    static let relayHeldBytes = MetricDefinition.gauge(
        "waymark_query_relay_held_bytes",
        help: "Bytes of changes that are waiting to be sent to the relay's subscribers.")
    static let relayKept = MetricDefinition.gauge(
        "waymark_query_relay_kept_changes", help: "Recent changes in the relay's memory.")
    static let relayStretches = MetricDefinition.counter(
        "waymark_query_relay_stretches_total",
        help: "How often the relay began to publish, with a hole before it: its subscribers ask for what they missed.")
    static let relayAnswered = MetricDefinition.counter(
        "waymark_query_relay_answered_total", help: "Requests for missed changes that the relay answered from memory.")
    static let relayPassedOn = MetricDefinition.counter(
        "waymark_query_relay_passed_on_total",
        help: "Requests for missed changes that only storage could answer.")

    static let own = [
        requests, requestTimes, revision, lagRevisions, lagSeconds, ready, connected, tilesReady, landmarks, live,
        pulled,
        pulls, gaps, runs, resumes, loads, forwarded, forwardsTimedOut, parked, parkedTotal, fetches, sourceAge,
        sourceRows, relayConnections, relayTopics, relayTurnedAway, relayRefusedTopics, relayPublished, relayBeacons,
        relayHeldBytes, relayKept,
        relayStretches, relayAnswered, relayPassedOn,
    ]

    /// Every metric that a query process exposes.
    public static let definitions =
        own + RequestMetrics.definitions + ProcessMetrics.definitions + [MonitoringPages.loopWait]
}
