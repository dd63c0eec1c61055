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
    var time: UInt64
    var level: Logger.Level
    var message: String
    /// The name of the module that logged the event.
    var source: String
    /// The metadata, sorted by key.
    var fields: [(key: String, value: Logger.MetadataValue)]

    init(time: UInt64, level: Logger.Level, message: String, source: String, metadata: Logger.Metadata) {
        (self.time, self.level, self.message, self.source) = (time, level, message, source)
        fields = metadata.sorted { $0.key < $1.key }.prefix(Self.fieldLimit).map { ($0.key, $0.value) }
    }

    /// Returns the line as swift-log's own handler would write it, but with control characters escaped.
    func text(service: String) -> String {
        let pairs = fields.map { " \(LogText.visible($0.key))=\(LogText.visible("\($0.value)"))" }.joined()
        let time = Timestamp.local(time, format: "%Y-%m-%dT%H:%M:%S%z")
        return "\(time) \(level) \(service):\(pairs) [\(LogText.visible(source))] \(LogText.visible(message))"
    }

    /// Returns a JSON object: `time` (RFC 3339, UTC, milliseconds), `level`, `service`, `message`, then a field for
    /// each metadata key. A key that equals one of the first four gets the prefix `field_`. Numbers and truth values
    /// are not quoted.
    func json(service: String) -> String {
        var writer = JSONWriter()
        writer.object {
            $0.field("time", time: time)
            $0.field("level", "\(level)")
            $0.field("service", LogText.bounded(service))
            $0.field("message", LogText.bounded(message))
            for (key, value) in fields {
                $0.key(LogText.bounded(Self.ownKeys.contains(key) ? "field_" + key : key))
                $0.value(value)
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
