// SPDX-License-Identifier: Apache-2.0

import Ingest

/// What an ingest did, for people and for programs.
struct IngestReportPrinter {
    private static let fewRejected = 20
    private static let fewNoticed = 5

    let report: IngestReport
    let source: String
    let format: String
    let isDryRun: Bool
    /// All rejected rows, not only the first few.
    let showsAll: Bool

    func print(to output: Output) throws(SinkError) {
        switch output.format {
        case .json: try output.object { write(to: &$0) }
        case .text: try output.lines(lines(output.painter))
        }
    }

    private func lines(_ painter: Painter) -> [String] {
        let counts: [(String, UInt64)] = [
            ("added", report.added), ("changed", report.changed), ("unchanged", report.unchanged),
            ("removed", report.removed), ("kept", report.kept), ("rejected", UInt64(report.rejected.count)),
        ]
        let dry =
            isDryRun ? "; a dry run, nothing was changed" : report.rev > 0 ? "; through revision \(report.rev)" : ""
        var lines = [
            "source \(painter.paint(Escaping.visible(source), .bold)) (\(Escaping.visible(format))): "
                + counts.map { "\(Figures.count($0.1)) \($0.0)" }.joined(separator: ", ") + dry
        ]
        lines += list(report.rejected.map { ($0.place, $0.reason) }, "rejected", few: Self.fewRejected, painter)
        lines += list(report.notices.map { ($0.place, $0.text) }, "noticed", few: Self.fewNoticed, painter)
        return lines
    }

    private func list(_ items: [(place: String, text: String)], _ word: String, few: Int, _ painter: Painter)
        -> [String]
    {
        let shown = showsAll ? items[...] : items.prefix(few)
        var lines = shown.map { item in
            let place = item.place.isEmpty ? "" : " \(Escaping.visible(item.place)):"
            return "  \(painter.paint(word, .yellow))\(place) \(Escaping.visible(item.text))"
        }
        if shown.count < items.count {
            lines.append(
                "  and \(Figures.count(UInt64(items.count - shown.count))) more \(word): --all-rejected lists them")
        }
        return lines
    }

    private func write(to writer: inout JSONWriter) {
        writer.field("source", source)
        writer.field("format", format)
        writer.field("dry_run", isDryRun)
        writer.field("added", report.added)
        writer.field("changed", report.changed)
        writer.field("unchanged", report.unchanged)
        writer.field("removed", report.removed)
        writer.field("kept", report.kept)
        writer.field("rejected", UInt64(report.rejected.count))
        writer.field("rev", report.rev == 0 ? nil : report.rev)
        writer.key("rejections")
        writer.array(report.rejected) { writer, row in
            writer.object {
                $0.field("place", row.place)
                $0.field("reason", row.reason)
            }
        }
        writer.key("notices")
        writer.array(report.notices) { writer, notice in
            writer.object {
                $0.field("place", notice.place.nilIfEmpty)
                $0.field("text", notice.text)
            }
        }
    }
}
