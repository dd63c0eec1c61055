// SPDX-License-Identifier: Apache-2.0

package import CoreMetrics
package import Monitoring
internal import NIOConcurrencyHelpers
internal import ServiceHost

/// The metrics of the HTTP interface. `Monitoring.docc` says when to worry.
package final class WebMetrics: Sendable {
    static let requests = MetricDefinition.counter(
        "waymark_web_requests_total", labels: ["route", "class"],
        help: "Answered HTTP requests, by route and by class of status.")
    static let requestTimes = MetricDefinition.histogram(
        "waymark_web_request_seconds", labels: ["route"], bounds: MetricDefinition.timeBounds,
        help: "Time from receiving an HTTP request to its answer; of a stream, to its beginning.")
    static let bytes = MetricDefinition.counter(
        "waymark_web_answer_bytes_total", help: "Bytes of answers and events over HTTP, without their headers.")
    static let readers = MetricDefinition.gauge(
        "waymark_web_readers", help: "Readers of changes over HTTP at the moment.")
    static let readersRefused = MetricDefinition.counter(
        "waymark_web_readers_refused_total", help: "Readers of changes over HTTP refused because there are too many.")
    static let events = MetricDefinition.counter(
        "waymark_web_events_total", help: "Changes sent to readers over HTTP, once for each reader.")
    static let logReads = MetricDefinition.counter(
        "waymark_web_log_reads_total",
        help: "Pages of the log read for readers over HTTP who were behind the changes in memory.")
    static let streamsEnded = MetricDefinition.counter(
        "waymark_web_streams_ended_total", labels: ["reason"],
        help: "Streams of changes over HTTP that could not continue, by the code of the error.")
    static let stalled = MetricDefinition.counter(
        "waymark_web_stalled_total", help: "HTTP connections closed because their clients did not read.")

    package static let definitions = [
        requests, requestTimes, bytes, readers, readersRefused, events, logReads, streamsEnded, stalled,
    ]

    private let factory: any MetricsFactory
    private struct Outcome: Hashable {
        let route: String
        /// 2 for the statuses of 200 and more.
        let hundreds: Int
    }

    private let answered = NIOLockedValueBox<[Outcome: (count: Counter, time: Timer)]>([:])
    private let bytes: Counter
    private let events: Counter
    let readers: Gauge
    let logReads: Counter
    let readersRefused: Counter
    let stalled: Counter

    /// - Parameter factory: where the metrics are kept; a registry learns what they mean.
    package init(_ factory: any MetricsFactory) {
        self.factory = factory
        (factory as? MetricsRegistry)?.describe(Self.definitions)
        bytes = Counter(label: Self.bytes.name, dimensions: [], factory: factory)
        readers = Gauge(label: Self.readers.name, dimensions: [], factory: factory)
        events = Counter(label: Self.events.name, dimensions: [], factory: factory)
        logReads = Counter(label: Self.logReads.name, dimensions: [], factory: factory)
        readersRefused = Counter(label: Self.readersRefused.name, dimensions: [], factory: factory)
        stalled = Counter(label: Self.stalled.name, dimensions: [], factory: factory)
    }

    /// - Parameter route: the route's template, or a word for all other paths: labels are few.
    func answered(_ route: String, status: Int, in time: Duration, bytes count: Int) {
        let key = Outcome(route: route, hundreds: status / 100)
        let outcome = answered.withLockedValue { known in
            if let outcome = known[key] { return outcome }
            let labels = Array(zip(Self.requests.labels, [route, "\(key.hundreds)xx"]))
            let outcome = (
                count: Counter(label: Self.requests.name, dimensions: labels, factory: factory),
                time: Timer(label: Self.requestTimes.name, dimensions: [("route", route)], factory: factory)
            )
            known[key] = outcome
            return outcome
        }
        outcome.count.increment()
        outcome.time.recordNanoseconds(Int64(clamping: Int128(time / .nanoseconds(1))))
        bytes.increment(by: count)
    }

    func sent(events count: Int, bytes length: Int) {
        if count > 0 { events.increment(by: count) }
        bytes.increment(by: length)
    }

    func ended(_ reason: String) {
        Counter(label: Self.streamsEnded.name, dimensions: [("reason", reason)], factory: factory).increment()
    }
}
