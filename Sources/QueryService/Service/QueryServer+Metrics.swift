// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
public import Monitoring
public import ServiceHost

/// What counts in the query service, while it runs.
struct QueryNumbers {
    let running: RunningQuery
    let counters: QueryCounters

    var link: StorageLink { running.link }
    var sync: ReplicaSync { running.sync }
    var parked: ParkedReads { running.reads.parked }
    /// Of the feed that is followed now.
    var feed: FeedCounters { sync.feed?.counters ?? FeedCounters() }
    /// Summed over all feeds that were followed.
    var feeds: FeedCounters { sync.feedCounters }
    /// 0 before the first replica has caught up.
    var revision: UInt64 { sync.replica?.position.rev ?? 0 }
}

extension QueryServer: MonitoredServer {
    public func turn() {}

    public func metrics() -> [MetricFamily]? { numbers.map { QueryMetrics.table.families(of: $0) } }

    /// Nil while the service is not running.
    var numbers: QueryNumbers? { running.map { QueryNumbers(running: $0, counters: counters) } }
}
