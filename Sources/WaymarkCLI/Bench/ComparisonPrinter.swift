// SPDX-License-Identifier: Apache-2.0

import LoadTest

/// Prints the differences between two reports.
enum ComparisonPrinter {
    private static let columns: [TextTable.Column] = [
        .init(title: "RUN", isFlexible: true), .init(title: "FIGURE"), .init(title: "EARLIER", alignment: .right),
        .init(title: "LATER", alignment: .right), .init(title: "CHANGE", alignment: .right),
        .init(title: "95 % SURE", alignment: .right), .init(title: "VERDICT"),
    ]

    static func print(_ rows: [ReportComparison.Figure], to output: Output) throws(SinkError) {
        try output.list(rows, columns) { writer, row in
            writer.field("label", row.label)
            writer.field("metric", row.metric.rawValue)
            writer.field("earlier", row.earlier)
            writer.field("later", row.later)
            writer.field("ratio", row.comparison?.ratio)
            writer.field("low", row.comparison?.interval?.lowerBound)
            writer.field("high", row.comparison?.interval?.upperBound)
            writer.field("verdict", row.verdict.rawValue)
        } cells: { row in
            let interval = row.comparison?.interval.map { "\(change($0.lowerBound)) to \(change($0.upperBound))" }
            return [
                row.label, row.metric.rawValue, LoadQuantity.text(row.earlier, row.metric.unit),
                LoadQuantity.text(row.later, row.metric.unit), row.comparison.map { change($0.ratio) } ?? "-",
                interval ?? "-", words(row),
            ]
        }
    }

    /// Formats a ratio as a relative change: `+12.3 %`.
    private static func change(_ ratio: Double) -> String {
        (ratio >= 1 ? "+" : "-") + LoadQuantity.text(abs(ratio - 1), .fraction)
    }

    private static func words(_ row: ReportComparison.Figure) -> String {
        switch row.verdict {
        case .better: "better"
        case .worse: "worse"
        case .same: "no significant change"
        case .tooFew: "too few runs (\(row.runs.earlier) and \(row.runs.later))"
        }
    }
}
