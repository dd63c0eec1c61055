// SPDX-License-Identifier: Apache-2.0

import WaymarkClient
import WaymarkJSON

/// Everything that is known about one source, for people.
struct SourceBlock {
    private(set) var lines: [String] = []
    private let painter: Painter

    init(_ source: SourceState, _ painter: Painter) {
        self.painter = painter
        lines.append("source \(painter.paint(Escaping.visible(source.source), .bold))")
        add("address", source.url.nilIfEmpty ?? "-")
        add("format", source.format.nilIfEmpty ?? "-")
        if let format = source.readAs.nilIfEmpty, format != source.format { add("read as", format) }
        add("landmarks", Figures.count(source.landmarks))
        add("last try", Self.time(source.attempted))
        add("succeeded", Self.time(source.succeeded))
        add("tries", "\(Figures.count(source.attempts)), \(Figures.count(source.failures)) of them failed")
        add("result", Self.result(source))
        if let error = source.error.nilIfEmpty { add("reason", error) }
        guard let counts = source.counts else { return }
        let figures = counts.named.map { "\(Figures.count($0.count)) \($0.name)" }
        add("last rows", figures.joined(separator: ", "))
    }

    /// Returns the format of the last fetched body in one word, without the fields of a mapping.
    static func format(_ source: SourceState) -> String {
        let format = source.readAs.nilIfEmpty ?? source.format
        return String(format.prefix { $0 != " " }).nilIfEmpty ?? "-"
    }

    /// Returns the result of the last fetch in a word or two.
    static func result(_ source: SourceState) -> String {
        switch source.result {
        case .ingested:
            guard let counts = source.counts else { return "ok, unchanged" }
            if counts.rejected > 0 { return "ok, \(Figures.count(counts.rejected)) rejected" }
            return [counts.added, counts.changed, counts.removed].contains { $0 > 0 } ? "ok" : "ok, unchanged"
        case .notModified: return "ok, unchanged"
        case .failed: return "failed"
        case nil: return source.attempts > 0 ? "not ended" : "-"
        }
    }

    private static func time(_ milliseconds: UInt64) -> String {
        milliseconds == 0 ? "never" : Timestamp.local(milliseconds)
    }

    private mutating func add(_ name: String, _ value: String) {
        let space = String(repeating: " ", count: max(1, 11 - name.count))
        lines.append("  \(painter.paint(name, .dim))\(space)\(Escaping.visible(value))")
    }
}
