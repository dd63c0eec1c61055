// SPDX-License-Identifier: Apache-2.0

public import Monitoring
import ServiceHost
import WaymarkProtocol
import WaymarkTransport

/// All metrics of storage, for Prometheus and, in the same order, for the command `status`. `Monitoring.docc` says
/// which values are a reason to worry.
public enum StorageMetrics {
    static let table = Array([engine, ofSocket, ofFeed].joined())

    private static let ofSocket = RequestMetrics.table.map {
        $0.of { (running: RunningStorage) in running.server.counters }
    }
    private static let ofFeed = feed.map { $0.of { (running: RunningStorage) in running.commits.publisher.counters } }

    private static let engine: [Metric<RunningStorage>] = [
        .series(
            .counter(
                "waymark_storage_commands_total", labels: ["kind", "result"],
                help: "Answered commands, by kind and by result: ok or the code of the error.")
        ) { $0.server.tally.lines.map(\.series) },
        .series(
            .times(
                "waymark_storage_command_seconds", labels: ["class"],
                help: "Time from receiving a command to sending its answer, by class: read or write.")
        ) { running in
            let tally = running.server.tally
            return [
                MetricSeries(["read"], seconds: tally.times { !$0.isWrite }),
                MetricSeries(["write"], seconds: tally.times { $0.isWrite }),
            ]
        },
        .series(
            .histogram(
                "waymark_storage_batch_commands", bounds: Distribution.sizes.bounds.map(Double.init),
                help: "Commands in a batch; one flush makes a batch durable.")
        ) { running in
            let batches = running.commits.counters.batches
            return [MetricSeries(.histogram(counts: batches.counts, sum: Double(batches.sum)))]
        },
        .series(
            .times(
                "waymark_storage_commit_seconds",
                help: "Time from the first command of a batch until the whole batch is durable.")
        ) { [MetricSeries(seconds: $0.commits.counters.commitTimes)] },
        .gauge(
            "waymark_storage_writable", { $0.commits.executor.condition == .writable ? 1 : 0 },
            help: "1 while writes are accepted; 0 while the disk is full or after a failed write."),
        .gauge("waymark_storage_head_revision", \.commits.executor.position.rev, help: "The newest revision."),
        .gauge(
            "waymark_storage_floor_revision", \.commits.executor.floor,
            help: "The oldest revision that the change log keeps."),
        .series(
            .gauge(
                "waymark_storage_epoch_info", labels: ["epoch", "run"],
                help: "Always 1; the labels identify the database's history and this run of storage.")
        ) { running in
            let position = running.commits.executor.position
            let names = [position.epoch, position.run].map { $0.map { "\($0)" } ?? "" }
            return [MetricSeries(names, .number(1))]
        },
        .status("commits", \.commits.counters.commits),
        .status("commands", \.commits.counters.commands),
        .counter(
            "waymark_storage_changes_total", \.commits.counters.changes, status: "changes",
            help: "Changes made durable."),
        .counter(
            "waymark_storage_commits_failed_total", \.commits.counters.failedCommits, status: "commits_failed",
            help: "Batches that could not be made durable; none of their commands was done."),
        .counter(
            "waymark_storage_changes_forgotten_total", \.commits.counters.forgotten, status: "changes_forgotten",
            help: "Changes deleted from the change log."),
        .status("track_points_forgotten", \.commits.counters.forgottenPoints),
        .counter(
            "waymark_storage_backups_total", \.backups.count, status: "backups",
            help: "Backups of the database made for clients."),
        .status("last_commit_us") { UInt64($0.commits.counters.lastCommit / .microseconds(1)) },
        .status("writes_refused_by_disk") { $0.commits.executor.control.condition == .writable ? 0 : 1 },
    ]

    private static let feed: [Metric<FeedPublisherCounters>] = [
        .counter(
            "waymark_storage_feed_published_total", \.published, status: "feed_published",
            help: "Changes handed to libzmq, once for each topic that they match."),
        .counter(
            "waymark_storage_feed_beacons_total", \.beacons, status: "feed_beacons",
            help: "Beacons handed to libzmq, one for each topic."),
        .counter(
            "waymark_storage_feed_subscriptions_total", \.subscriptions, status: "feed_subscriptions",
            help: "Received subscriptions, including those after a reconnection."),
        .gauge(
            "waymark_storage_feed_topics", \.feeds, status: "feed_topics",
            help: "Different filters with subscribers, plus the filter for everything."),
        .counter(
            "waymark_storage_feed_unknown_topics_total", \.unknownTopics, status: "feed_unknown_topics",
            help: "Messages on the feed's port that were not valid subscriptions."),
        .counter(
            "waymark_storage_feed_refused_topics_total", \.refusedTopics, status: "feed_refused_topics",
            help:
                "Subscriptions refused at the limit of topics or of their account's share; these subscribers read the log instead."
        ),
        .status("feed_failures", \.failures),
        .counter(
            "waymark_storage_feed_held_back_total", \.heldBack, status: "feed_held_back",
            help:
                "Changes not published because too many bytes wait for slow subscribers; all read them from the log."),
        .gauge(
            "waymark_storage_feed_held_bytes", \.bytesHeld, status: "feed_bytes_held",
            help: "Bytes of changes that are waiting to be sent to subscribers."),
        .gauge(
            "waymark_storage_feed_connections", \.connections, status: "feed_connections",
            help: "Open connections to the feed from other processes."),
        .counter(
            "waymark_storage_feed_connections_turned_away_total", \.connectionsTurnedAway,
            status: "feed_connections_turned_away",
            help:
                "Connections to the feed refused at the limit of connections, of their account's share, or of file descriptors."
        ),
        .status("feed_cut_off", \.cutOff),
    ]

    /// Every metric that a storage process exposes.
    public static let definitions =
        table.compactMap(\.definition) + files.compactMap(\.definition) + ProcessMetrics.definitions
        + [MonitoringPages.loopWait]
}

extension RequestTally {
    /// Returns one distribution of the times of several kinds of requests.
    fileprivate func times(where isCounted: (RequestKind) -> Bool) -> Distribution {
        RequestKind.allCases.filter(isCounted).reduce(into: .times) { $0 += times(of: $1) }
    }
}
