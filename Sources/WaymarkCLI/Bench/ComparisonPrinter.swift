// SPDX-License-Identifier: Apache-2.0

import LoadTest

/// Prints the differences between two reports.
enum ComparisonPrinter {
    private static let columns = ReportComparison.titles.enumerated().map { place, title in
        TextTable.Column(title: title, alignment: (2...5).contains(place) ? .right : .left, isFlexible: place == 0)
    }

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
        } cells: {
            $0.cells
        }
    }
}
