// SPDX-License-Identifier: Apache-2.0

package import Monitoring
internal import NIOConcurrencyHelpers
internal import WaymarkTransport

/// The metrics of the HTTP interface. The article in `Monitoring.docc` says which values are a reason to worry.
package final class WebMetrics: MetricsSource {
    struct Outcome: Hashable {
        let route: String
        /// The status divided by 100, such as 2 for status 204.
        let hundreds: Int
    }

    struct Counts {
        var answered: [Outcome: UInt64] = [:]
        var times: [String: Distribution] = [:]
        var bytes: UInt64 = 0
        var readers: UInt64 = 0
        var readersRefused: UInt64 = 0
        var events: UInt64 = 0
        var logReads: UInt64 = 0
        var ended: [String: UInt64] = [:]
        var stalled: UInt64 = 0
    }

    private static let table: [Metric<Counts>] = [
        .series(
            .counter(
                "waymark_web_requests_total", labels: ["route", "class"],
                help: "Answered HTTP requests, by route and by class of status.")
        ) { counts in
            counts.answered.map { MetricSeries([$0.route, "\($0.hundreds)xx"], .number(Double($1))) }
        },
        .series(
            .times(
                "waymark_web_request_seconds", labels: ["route"],
                help: "Time from receiving an HTTP request to its answer; of a stream, to its beginning.")
        ) { counts in counts.times.map { MetricSeries([$0], seconds: $1) } },
        .counter(
            "waymark_web_answer_bytes_total", \.bytes,
            help: "Bytes of answers and events over HTTP, without their headers."),
        .gauge("waymark_web_readers", \.readers, help: "Readers of changes over HTTP at the moment."),
        .counter(
            "waymark_web_readers_refused_total", \.readersRefused,
            help: "Readers of changes over HTTP refused because there are too many."),
        .counter(
            "waymark_web_events_total", \.events, help: "Changes sent to readers over HTTP, once for each reader."),
        .counter(
            "waymark_web_log_reads_total", \.logReads,
            help: "Pages of the log read for readers over HTTP who were behind the changes in memory."),
        .series(
            .counter(
                "waymark_web_streams_ended_total", labels: ["reason"],
                help: "Streams of changes over HTTP that could not continue, by the code of the error.")
        ) { counts in counts.ended.map { MetricSeries([$0], .number(Double($1))) } },
        .counter(
            "waymark_web_stalled_total", \.stalled,
            help: "HTTP connections closed because their clients did not read."),
    ]

    package static let definitions = table.compactMap(\.definition)

    private let counts = NIOLockedValueBox(Counts())

    package init() {}

    package var families: [MetricFamily] { Self.table.families(of: counts.withLockedValue { $0 }) }

    /// - Parameter route: the template of the route; one word for all unknown paths, because there must be few labels.
    func answered(_ route: String, status: Int, in time: Duration, bytes count: Int) {
        counts.withLockedValue {
            $0.answered[Outcome(route: route, hundreds: status / 100), default: 0] += 1
            $0.times[route, default: .times].add(UInt64(clamping: Int128(time / .nanoseconds(1))))
            $0.bytes += UInt64(count)
        }
    }

    func readers(_ count: Int) { counts.withLockedValue { $0.readers = UInt64(count) } }

    func refusedReader() { counts.withLockedValue { $0.readersRefused += 1 } }

    /// Counts a page that was read from the log because the ring did not have the changes.
    func readLog() { counts.withLockedValue { $0.logReads += 1 } }

    func sent(events count: Int, bytes length: Int) {
        counts.withLockedValue {
            $0.events += UInt64(count)
            $0.bytes += UInt64(length)
        }
    }

    func ended(_ reason: String) { counts.withLockedValue { $0.ended[reason, default: 0] += 1 } }

    /// Counts a connection that was closed because its client did not read.
    func closedStalled() { counts.withLockedValue { $0.stalled += 1 } }
}
