// SPDX-License-Identifier: Apache-2.0

public import Monitoring
import ServiceHost

/// What storage tells of itself, beside what both services do. `Monitoring.docc` says when to worry.
public enum StorageMetrics {
    static let commands = MetricDefinition.counter(
        "waymark_storage_commands_total", labels: ["kind", "result"],
        help: "Commands that were answered, by what they were and by ok or the code of the error.")
    static let commandTimes = MetricDefinition.histogram(
        "waymark_storage_command_seconds", labels: ["class"], bounds: MetricDefinition.timeBounds,
        help: "From when a command was taken off the socket until its answer was on its way, for reads and writes.")
    static let batches = MetricDefinition.histogram(
        "waymark_storage_batch_commands", bounds: MetricDefinition.sizeBounds,
        help: "Commands that became durable with one flush.")
    static let commitTimes = MetricDefinition.histogram(
        "waymark_storage_commit_seconds", bounds: MetricDefinition.timeBounds,
        help: "From the first command of a batch until all of it was durable.")
    static let commitsFailed = MetricDefinition.counter(
        "waymark_storage_commits_failed_total",
        help: "Batches that could not be made durable; nothing of them was done.")
    static let writable = MetricDefinition.gauge(
        "waymark_storage_writable", help: "1, or 0 while the disk is full or the last attempt to write failed.")
    static let changes = MetricDefinition.counter(
        "waymark_storage_changes_total", help: "Changes that were made durable.")
    static let head = MetricDefinition.gauge("waymark_storage_head_revision", help: "The newest revision.")
    static let floor = MetricDefinition.gauge(
        "waymark_storage_floor_revision", help: "The oldest revision that the change log keeps.")
    static let epoch = MetricDefinition.gauge(
        "waymark_storage_epoch_info", labels: ["epoch", "run"],
        help: "Always 1; the labels tell the history that the database holds, and this run of storage.")
    static let connections = MetricDefinition.gauge(
        "waymark_storage_feed_connections", help: "Connections to the feed that are open.")
    static let topics = MetricDefinition.gauge(
        "waymark_storage_feed_topics", help: "Different filters that are subscribed to, and that of everything.")
    static let subscriptions = MetricDefinition.counter(
        "waymark_storage_feed_subscriptions_total", help: "Subscriptions that came, those after a reconnection too.")
    static let published = MetricDefinition.counter(
        "waymark_storage_feed_published_total",
        help: "Messages with a change that were handed to libzmq, one for each topic concerned.")
    static let beacons = MetricDefinition.counter(
        "waymark_storage_feed_beacons_total", help: "Beacons that were handed to libzmq, one for each topic.")
    static let unknownTopics = MetricDefinition.counter(
        "waymark_storage_feed_unknown_topics_total",
        help: "Messages on the feed's port that were no legal subscription.")
    static let refusedTopics = MetricDefinition.counter(
        "waymark_storage_feed_refused_topics_total",
        help: "Subscriptions to one topic more than there may be; who subscribes so lives on reading the log.")
    static let heldBack = MetricDefinition.counter(
        "waymark_storage_feed_held_back_total",
        help: "Changes that were not published, because subscribers that do not read held too many bytes.")
    static let heldBytes = MetricDefinition.gauge(
        "waymark_storage_feed_held_bytes", help: "Bytes of changes that wait to be written to subscribers.")
    static let turnedAway = MetricDefinition.counter(
        "waymark_storage_feed_connections_turned_away_total",
        help: "Connections to the feed that were one more than there may be, or for which no file descriptor was left.")
    static let databaseBytes = MetricDefinition.gauge(
        "waymark_storage_database_bytes", help: "The size of the database's file.")
    static let walBytes = MetricDefinition.gauge(
        "waymark_storage_wal_bytes", help: "The size of the database's write-ahead log.")
    static let searchBytes = MetricDefinition.gauge(
        "waymark_storage_search_bytes", help: "The size of the text search and its write-ahead log.")
    static let diskFree = MetricDefinition.gauge(
        "waymark_storage_disk_free_bytes", help: "What the file system of the data directory has left for this user.")
    static let backups = MetricDefinition.counter(
        "waymark_storage_backups_total", help: "Copies of the database that were made for a client.")
    static let forgotten = MetricDefinition.counter(
        "waymark_storage_changes_forgotten_total", help: "Changes that the log no longer keeps.")

    static let own = [
        commands, commandTimes, batches, commitTimes, commitsFailed, writable, changes, head, floor, epoch,
        connections, turnedAway, topics, subscriptions, published, heldBack, heldBytes, beacons, unknownTopics,
        refusedTopics, databaseBytes, walBytes, searchBytes, diskFree, backups, forgotten,
    ]

    /// All that a storage process exposes.
    public static let definitions =
        own + RequestMetrics.definitions + ProcessMetrics.definitions + [MonitoringPages.loopWait]
}
