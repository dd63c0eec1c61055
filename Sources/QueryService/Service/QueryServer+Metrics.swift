// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
public import Monitoring
public import ServiceHost

/// The parts of a running query service from which metrics are read.
struct QueryNumbers {
    let running: RunningQuery
    let counters: QueryCounters

    var link: StorageLink { running.link }
    var sync: ReplicaSync { running.sync }
    var parked: ParkedReads { running.reads.parked }
    /// The counters of the present feed.
    var feed: FeedCounters { sync.feed?.counters ?? FeedCounters() }
    /// The counters summed over all feeds since the start.
    var feeds: FeedCounters { sync.feedCounters }
    /// The replica's revision; 0 before the first replica has caught up.
    var revision: UInt64 { sync.replica?.position.rev ?? 0 }
}

extension QueryServer: MonitoredServer {
    public func turn() {}

    public func metrics() -> [MetricFamily]? { numbers.map { QueryMetrics.table.families(of: $0) } }

    /// The source of the metrics; nil while the service is not running.
    var numbers: QueryNumbers? { running.map { QueryNumbers(running: $0, counters: counters) } }
}
