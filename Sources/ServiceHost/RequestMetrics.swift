// SPDX-License-Identifier: Apache-2.0

public import Monitoring
public import WaymarkTransport

/// The metrics of request sockets, for both services.
public enum RequestMetrics {
    static let received = MetricDefinition.counter(
        "waymark_requests_received_total", help: "Messages received on the request socket.")
    static let malformed = MetricDefinition.counter(
        "waymark_requests_malformed_total",
        help: "Messages that were not a request of this protocol, or of another protocol version.")
    static let expired = MetricDefinition.counter(
        "waymark_requests_expired_total", help: "Requests dropped because their client had stopped waiting.")
    static let handshakesFailed = MetricDefinition.counter(
        "waymark_handshakes_failed_total",
        help: "Connections to the request port that failed before speaking ZeroMQ, including refused ones.")
    static let answersDropped = MetricDefinition.counter(
        "waymark_answers_dropped_total",
        help: "Answers dropped or refused for lack of space because their peers do not read.")
    static let answerBytes = MetricDefinition.gauge(
        "waymark_answers_held_bytes", help: "Bytes of answers that are waiting to be sent.")
    static let connections = MetricDefinition.gauge(
        "waymark_connections", help: "Open connections to the request port, without those within the process.")
    static let turnedAway = MetricDefinition.counter(
        "waymark_connections_turned_away_total",
        help: "Connections refused at the limit of connections or of file descriptors.")
    static let answersUnroutable = MetricDefinition.counter(
        "waymark_answers_unroutable_total", help: "Answers dropped because the peer was gone.")

    public static let definitions = [
        received, malformed, expired, handshakesFailed, answersDropped, answerBytes, answersUnroutable,
        connections, turnedAway,
    ]
}

extension MetricsMirror {
    /// Copies the counters of a request socket.
    public mutating func take(_ counters: RequestCounters) {
        count(RequestMetrics.received, total: counters.received)
        count(RequestMetrics.malformed, total: counters.malformed)
        count(RequestMetrics.expired, total: counters.expired)
        count(RequestMetrics.handshakesFailed, total: counters.handshakesFailed)
        count(RequestMetrics.answersDropped, total: counters.answersDropped + counters.answersOverBudget)
        set(RequestMetrics.answerBytes, to: Double(counters.answerBytesHeld))
        set(RequestMetrics.connections, to: Double(counters.connections))
        count(RequestMetrics.turnedAway, total: counters.connectionsTurnedAway)
        count(RequestMetrics.answersUnroutable, total: counters.answersUnroutable)
    }

    /// Copies a distribution of times. The loop counts in nanoseconds; Prometheus expects seconds.
    ///
    /// - Parameter label: the value of the only label, if the metric has one.
    public mutating func time(_ definition: MetricDefinition, _ times: Distribution, _ label: String? = nil) {
        let seconds = Double(times.sum) / 1e9
        if let label {
            distribute(definition, label, counts: times.counts, sum: seconds)
        } else {
            distribute(definition, counts: times.counts, sum: seconds)
        }
    }
}

extension MetricDefinition {
    /// The bucket bounds of times, in seconds.
    public static let timeBounds = Distribution.timeBounds.map { Double($0) / 1e9 }
    public static let sizeBounds = Distribution.sizeBounds.map(Double.init)
}
