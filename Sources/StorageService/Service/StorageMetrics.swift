// SPDX-License-Identifier: Apache-2.0

public import Monitoring
import ServiceHost

/// The metrics of storage; those of both services are elsewhere. `Monitoring.docc` says when to worry.
public enum StorageMetrics {
    static let commands = MetricDefinition.counter(
        "waymark_storage_commands_total", labels: ["kind", "result"],
        help: "Answered commands, by kind and by result: ok or the code of the error.")
    static let commandTimes = MetricDefinition.histogram(
        "waymark_storage_command_seconds", labels: ["class"], bounds: MetricDefinition.timeBounds,
        help: "Time from receiving a command to sending its answer, for read and write.")
    static let batches = MetricDefinition.histogram(
        "waymark_storage_batch_commands", bounds: MetricDefinition.sizeBounds,
        help: "Commands in a batch, which one flush makes durable.")
    static let commitTimes = MetricDefinition.histogram(
        "waymark_storage_commit_seconds", bounds: MetricDefinition.timeBounds,
        help: "Time from the first command of a batch until the whole batch is durable.")
    static let commitsFailed = MetricDefinition.counter(
        "waymark_storage_commits_failed_total",
        help: "Batches that could not be made durable; none of their commands was done.")
    static let writable = MetricDefinition.gauge(
        "waymark_storage_writable",
        help: "1; 0 while writes are refused, because the disk is full or the last write failed.")
    static let changes = MetricDefinition.counter(
        "waymark_storage_changes_total", help: "Changes made durable.")
    static let head = MetricDefinition.gauge("waymark_storage_head_revision", help: "The newest revision.")
    static let floor = MetricDefinition.gauge(
        "waymark_storage_floor_revision", help: "The oldest revision that the change log keeps.")
    static let epoch = MetricDefinition.gauge(
        "waymark_storage_epoch_info", labels: ["epoch", "run"],
        help: "Always 1; the labels identify the database's history and this run of storage.")
    static let connections = MetricDefinition.gauge(
        "waymark_storage_feed_connections", help: "Open connections to the feed, without those within the process.")
    static let topics = MetricDefinition.gauge(
        "waymark_storage_feed_topics", help: "Different filters with subscribers, plus the filter for everything.")
    static let subscriptions = MetricDefinition.counter(
        "waymark_storage_feed_subscriptions_total",
        help: "Received subscriptions, including those after a reconnection.")
    static let published = MetricDefinition.counter(
        "waymark_storage_feed_published_total",
        help: "Changes handed to libzmq, once for each topic that they match.")
    static let beacons = MetricDefinition.counter(
        "waymark_storage_feed_beacons_total", help: "Beacons handed to libzmq, one for each topic.")
    static let unknownTopics = MetricDefinition.counter(
        "waymark_storage_feed_unknown_topics_total",
        help: "Messages on the feed's port that were not valid subscriptions.")
    static let refusedTopics = MetricDefinition.counter(
        "waymark_storage_feed_refused_topics_total",
        help:
            "Subscriptions refused at the limit of topics or of their account's share; these subscribers read the log instead."
    )
    static let heldBack = MetricDefinition.counter(
        "waymark_storage_feed_held_back_total",
        help:
            "Changes not published because too many bytes wait for slow subscribers; all read them from the log."
    )
    static let heldBytes = MetricDefinition.gauge(
        "waymark_storage_feed_held_bytes", help: "Bytes of changes that are waiting to be sent to subscribers.")
    static let turnedAway = MetricDefinition.counter(
        "waymark_storage_feed_connections_turned_away_total",
        help:
            "Connections to the feed refused at the limit of connections, of their account's share, or of file descriptors."
    )
    static let databaseBytes = MetricDefinition.gauge(
        "waymark_storage_database_bytes", help: "The size of the database's file.")
    static let walBytes = MetricDefinition.gauge(
        "waymark_storage_wal_bytes", help: "The size of the database's write-ahead log.")
    static let searchBytes = MetricDefinition.gauge(
        "waymark_storage_search_bytes", help: "The size of the text search's file and its write-ahead log.")
    static let diskFree = MetricDefinition.gauge(
        "waymark_storage_disk_free_bytes", help: "Free space for this user on the file system of the data directory.")
    static let backups = MetricDefinition.counter(
        "waymark_storage_backups_total", help: "Backups of the database made for clients.")
    static let forgotten = MetricDefinition.counter(
        "waymark_storage_changes_forgotten_total", help: "Changes deleted from the change log.")

    static let own = [
        commands, commandTimes, batches, commitTimes, commitsFailed, writable, changes, head, floor, epoch,
        connections, turnedAway, topics, subscriptions, published, heldBack, heldBytes, beacons, unknownTopics,
        refusedTopics, databaseBytes, walBytes, searchBytes, diskFree, backups, forgotten,
    ]

    /// All that a storage process exposes.
    public static let definitions =
        own + RequestMetrics.definitions + ProcessMetrics.definitions + [MonitoringPages.loopWait]
}
