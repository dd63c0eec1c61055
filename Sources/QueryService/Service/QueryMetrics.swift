// SPDX-License-Identifier: Apache-2.0

public import Monitoring
import ServiceHost

/// What query tells of itself, beside what both services do. `Monitoring.docc` says when to worry.
public enum QueryMetrics {
    static let requests = MetricDefinition.counter(
        "waymark_query_requests_total", labels: ["kind", "result"],
        help: "Requests that were answered, by what they were and by ok or the code of the error.")
    static let requestTimes = MetricDefinition.histogram(
        "waymark_query_request_seconds", labels: ["kind"], bounds: MetricDefinition.timeBounds,
        help: "From when a request was taken off the socket until its answer was on its way.")
    static let revision = MetricDefinition.gauge(
        "waymark_query_replica_revision", help: "The revision that the replica has reached.")
    static let lagRevisions = MetricDefinition.gauge(
        "waymark_query_replica_lag_revisions",
        help: "Revisions that storage is known to have and the replica has not reached.")
    static let lagSeconds = MetricDefinition.gauge(
        "waymark_query_replica_lag_seconds", help: "Time since storage's feed was last heard, a beacon or a change.")
    static let ready = MetricDefinition.gauge(
        "waymark_query_ready", help: "1 once the replica has caught up with storage, else 0.")
    static let connected = MetricDefinition.gauge(
        "waymark_query_storage_connected", help: "1 while storage can be asked, else 0.")
    static let landmarks = MetricDefinition.gauge("waymark_query_landmarks", help: "Landmarks in the replica.")
    static let live = MetricDefinition.counter(
        "waymark_query_feed_live_total", help: "Changes that were taken as they were published.")
    static let pulled = MetricDefinition.counter(
        "waymark_query_feed_pulled_total", help: "Changes that were read from the log.")
    static let pulls = MetricDefinition.counter("waymark_query_feed_pulls_total", help: "Times that the log was asked.")
    static let gaps = MetricDefinition.counter(
        "waymark_query_feed_gaps_total", help: "Times that published changes were found missing.")
    static let runs = MetricDefinition.counter(
        "waymark_query_feed_runs_total", help: "Times that storage was found to have started again.")
    static let resumes = MetricDefinition.counter(
        "waymark_query_feed_resumes_total", help: "Times that the feed was whole again after a gap or a silence.")
    static let loads = MetricDefinition.counter(
        "waymark_query_replica_loads_total", help: "Times that the replica was loaded as a whole.")
    static let forwarded = MetricDefinition.counter(
        "waymark_query_forwarded_total", help: "Requests that were passed on to storage.")
    static let forwardsTimedOut = MetricDefinition.counter(
        "waymark_query_forwards_timed_out_total",
        help: "Requests that were passed on and not answered in time; whether they were done is not known.")
    static let parked = MetricDefinition.gauge(
        "waymark_query_parked", help: "Requests that wait for the replica to reach a revision.")
    static let parkedTotal = MetricDefinition.counter(
        "waymark_query_parked_total", help: "Requests that had to wait for the replica to reach a revision.")
    static let fetches = MetricDefinition.counter(
        "waymark_query_fetches_total", labels: ["source", "result"],
        help: "Fetches of a source that ended: ingested, not_modified, failed, or left_to_others.")
    static let sourceAge = MetricDefinition.gauge(
        "waymark_query_source_age_seconds", labels: ["source"],
        help: "Time since this service last fetched the source as it should, or since it began to.")
    static let sourceRows = MetricDefinition.gauge(
        "waymark_query_source_rows", labels: ["source"], help: "Rows of the source that were last taken.")

    static let own = [
        requests, requestTimes, revision, lagRevisions, lagSeconds, ready, connected, landmarks, live, pulled, pulls,
        gaps, runs, resumes, loads, forwarded, forwardsTimedOut, parked, parkedTotal, fetches, sourceAge, sourceRows,
    ]

    /// All that a query process exposes.
    public static let definitions =
        own + RequestMetrics.definitions + ProcessMetrics.definitions + [MonitoringPages.loopWait]
}
