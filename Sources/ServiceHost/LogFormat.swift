// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import JSON
import Logging

/// The format of a log line.
public enum LogFormat: String, CaseIterable, Sendable {
    /// For people: time, level, service, metadata, and then the message.
    case text
    /// For programs: one JSON object; see `LogLine.json`.
    case json

    /// - Parameter setting: `auto`, `text` or `json`. `auto` means text if stderr is a terminal, otherwise JSON.
    public init(setting: String) {
        self = LogFormat(rawValue: setting) ?? (isatty(STDERR_FILENO) == 1 ? .text : .json)
    }
}

/// A single event to log.
struct LogLine {
    /// The maximum number of metadata fields in a line. Further fields are dropped.
    private static let fieldLimit = 32
    /// The keys that every JSON line has.
    private static let ownKeys: Set<String> = ["time", "level", "service", "message"]

    /// The time in Unix milliseconds.
    let time: UInt64
    let event: LogEvent
    /// All metadata, also those of the logger.
    let metadata: Logger.Metadata

    /// The metadata, sorted by key.
    private var fields: ArraySlice<Logger.Metadata.Element> {
        metadata.sorted { $0.key < $1.key }.prefix(Self.fieldLimit)
    }

    /// Returns the line as swift-log's own handler would write it, but with control characters escaped.
    func text(service: String) -> String {
        let pairs = fields.map { " \(LogText.visible($0.key))=\(LogText.visible("\($0.value)"))" }.joined()
        let time = Timestamp.local(time, format: "%Y-%m-%dT%H:%M:%S%z")
        let source = LogText.visible(event.source)
        let message = LogText.visible(event.message.description)
        return "\(time) \(event.level) \(service):\(pairs) [\(source)] \(message)"
    }

    /// Returns a JSON object: `time` (RFC 3339, UTC, milliseconds), `level`, `service`, `message`, then a field for
    /// each metadata key. A key that equals one of the first four gets the prefix `field_`. Numbers and truth values
    /// are not quoted.
    func json(service: String) -> String {
        var writer = JSONWriter()
        writer.object {
            $0.field("time", time: time)
            $0.field("level", "\(event.level)")
            $0.field("service", LogText.bounded(service))
            $0.field("message", LogText.bounded(event.message.description))
            for (key, value) in fields {
                $0.key(LogText.bounded(Self.ownKeys.contains(key) ? "field_" + key : key))
                $0.value(value)
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
