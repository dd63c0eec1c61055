// SPDX-License-Identifier: Apache-2.0

import Ingest
import WaymarkClient
import WaymarkJSON

/// Prints the result of an ingest, for people or for programs.
struct IngestReportPrinter {
    let report: IngestReport
    let source: String
    let format: String
    let isDryRun: Bool
    /// Whether to list every row that was rejected or noticed, instead of a few examples of each kind.
    let showsAll: Bool

    func print(to output: Output) throws(SinkError) {
        try output.result(lines(output.painter, width: output.width).joined(separator: "\n")) { write(to: &$0) }
    }

    /// Returns the lines of the report. The most important line is the last, where a person looks first.
    private func lines(_ painter: Painter, width: Int?) -> [String] {
        let rejected = RowGroups(report.rejected.map(\.notice))
        let noticed = RowGroups(report.notices)
        let columns: [TextTable.Column] = [
            .init(title: ""), .init(title: "NAME", isFlexible: true), .init(title: "POSITION"), .init(title: "KIND"),
        ]
        let table = TextTable(columns, rows: examples)
        return (table.isEmpty ? [] : table.lines(painter, width: width))
            + noticed.lines("noticed", showsAll: showsAll, painter)
            + rejected.lines("rejected", showsAll: showsAll, painter) + [summary(painter, isShort: width != nil)]
    }

    /// - Parameter isShort: whether to omit counts of 0 and the mapping of the format, for a terminal.
    private func summary(_ painter: Painter, isShort: Bool) -> String {
        let counts = SourceCounts(report.counts).named.filter { !isShort || $0.count > 0 }
            .map { "\(Figures.count($0.count)) \($0.name)" }
        let dry =
            isDryRun ? "; a dry run, nothing was changed" : report.rev > 0 ? "; through revision \(report.rev)" : ""
        let told = counts.joined(separator: ", ").nilIfEmpty ?? "no rows"
        let format = isShort ? String(format.prefix { $0 != " " }) : format
        return "source \(painter.paint(Escaping.visible(source), .bold)) (\(Escaping.visible(format))): \(told)\(dry)"
    }

    /// Examples of rows in a dry run, such as `would add  Bondi Beach  -33.89,151.27  beach`.
    private var examples: [[String]] {
        report.examples.map { example in
            let word =
                switch example.outcome {
                case .added: "would add"
                case .changed: "would change"
                case .removed: "would remove"
                }
            guard let draft = example.draft else { return [word, example.key, "", ""] }
            return [word, draft.name, Figures.position(draft.coordinate), draft.kind]
        }
    }

    private func write(to writer: inout JSONWriter) {
        writer.field("source", source)
        writer.field("format", format)
        writer.field("dry_run", isDryRun)
        for (name, count) in SourceCounts(report.counts).named { writer.field(name, count) }
        writer.field("rev", report.rev == 0 ? nil : report.rev)
        writer.objects("rejections", report.rejected) { writer, row in
            writer.field("place", row.place)
            writer.field("reason", row.reason)
        }
        writer.objects("notices", report.notices) { writer, notice in
            writer.field("place", notice.place.nilIfEmpty)
            writer.field("text", notice.text)
        }
        writer.objects("examples", report.examples) { writer, example in
            writer.field("op", example.outcome.rawValue)
            writer.field("key", example.key)
            writer.field("name", example.draft?.name)
            writer.field("lat", example.draft?.coordinate.latitude)
            writer.field("lng", example.draft?.coordinate.longitude)
            writer.field("kind", example.draft?.kind.nilIfEmpty)
        }
    }
}
