// SPDX-License-Identifier: Apache-2.0

public import Monitoring
import SwiftProtobuf
import WaymarkProtocol
public import WaymarkTransport

/// The metrics of the sockets for requests, which both services have.
public enum RequestMetrics {
    /// The table of metrics, in the order of `status`.
    public static let table: [Metric<RequestCounters>] = [
        .counter(
            "waymark_requests_received_total", \.received, status: "requests_received",
            help: "Messages received on the request socket."),
        .status("requests_answered", \.answered),
        .counter(
            "waymark_requests_malformed_total", \.malformed, status: "requests_malformed",
            help: "Messages that were no request of this protocol version."),
        .counter(
            "waymark_handshakes_failed_total", \.handshakesFailed, status: "handshakes_failed",
            help: "Connections to the request port that failed before speaking ZeroMQ, including refused ones."),
        .counter(
            "waymark_requests_expired_total", \.expired, status: "requests_expired",
            help: "Requests dropped because their client had stopped waiting."),
        .counter(
            "waymark_answers_dropped_total", { $0.answersDropped + $0.answersOverBudget },
            help: "Answers dropped or refused for lack of space because their peers do not read."),
        .status("answers_dropped", \.answersDropped),
        .counter(
            "waymark_answers_unroutable_total", \.answersUnroutable, status: "answers_unroutable",
            help: "Answers dropped because the peer was gone."),
        .status("answers_over_budget", \.answersOverBudget),
        .gauge(
            "waymark_answers_held_bytes", \.answerBytesHeld, status: "answer_bytes_held",
            help: "Bytes of answers that are waiting to be sent."),
        .gauge(
            "waymark_connections", \.connections, status: "connections",
            help: "Open connections to the request port from other processes."),
        .counter(
            "waymark_connections_turned_away_total", \.connectionsTurnedAway, status: "connections_turned_away",
            help: "Connections refused at the limit of connections or of file descriptors."),
        .status("descriptor_shortages", \.descriptorShortages),
        .statuses { counters in
            counters.refused.map { (name: "refused_\($0.key.name)", value: $0.value) }.sorted { $0.name < $1.name }
        },
    ]
}

extension Sequence {
    /// Returns the counters for an answer to `status`.
    package func counters<Source>(of source: Source) -> [WireCounter] where Element == Metric<Source> {
        numbers(of: source).map { name, value in
            .with {
                $0.name = name
                $0.value = value
            }
        }
    }
}

extension MetricDefinition {
    /// Defines a histogram of times. Services measure in nanoseconds, but Prometheus expects seconds.
    public static func times(_ name: String, labels: [String] = [], help: String) -> MetricDefinition {
        .histogram(name, labels: labels, bounds: Distribution.times.bounds.map { Double($0) / 1e9 }, help: help)
    }
}

extension MetricSeries {
    /// Converts a distribution of times in nanoseconds.
    public init(_ labels: [String] = [], seconds times: Distribution) {
        self.init(labels, .histogram(counts: times.counts, sum: Double(times.sum) / 1e9))
    }
}

extension RequestTally.Line {
    /// The series of this line: the labels `kind` and `result`, and the count.
    public var series: MetricSeries {
        MetricSeries([kind.name, refusal?.name ?? "ok"], .number(Double(count)))
    }
}
