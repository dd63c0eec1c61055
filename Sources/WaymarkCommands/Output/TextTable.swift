// SPDX-License-Identifier: Apache-2.0

/// Aligned columns for people. The last column is not padded.
struct TextTable {
    enum Alignment {
        case left, right
    }

    struct Column {
        var title: String
        var alignment: Alignment = .left
        var style: Style = .plain
        /// May be cut where the terminal is too narrow for the table.
        var isFlexible = false
    }

    /// A column that may be cut keeps this many characters.
    private static let leastWidth = 16
    private static let gap = "  "

    let columns: [Column]
    private var rows: [[String]] = []

    init(_ columns: [Column]) {
        self.columns = columns
    }

    /// - Parameter cells: as they came, one for each column; what a terminal would act on is escaped here.
    mutating func add(_ cells: [String]) {
        rows.append(cells.map(Escaping.visible))
    }

    var isEmpty: Bool { rows.isEmpty }

    /// - Parameter width: of the terminal; nil: nothing is cut.
    func lines(_ painter: Painter, width: Int?) -> [String] {
        let titles = columns.map(\.title)
        var widths = columns.indices.map { index in
            ([titles] + rows).map { DisplayWidth.of($0[index]) }.max() ?? 0
        }
        if let width, let flexible = columns.firstIndex(where: \.isFlexible) {
            let excess = widths.reduce(0, +) + Self.gap.count * (widths.count - 1) - width
            if excess > 0 { widths[flexible] = min(widths[flexible], max(Self.leastWidth, widths[flexible] - excess)) }
        }
        let header = line(titles, widths, painter) { _ in .dim }
        return [header] + rows.map { line($0, widths, painter) { columns[$0].style } }
    }

    private func line(_ cells: [String], _ widths: [Int], _ painter: Painter, style: (Int) -> Style) -> String {
        let texts = cells.indices.map { index in
            let cell = DisplayWidth.cut(cells[index], to: widths[index])
            let space = String(repeating: " ", count: max(0, widths[index] - DisplayWidth.of(cell)))
            let painted = painter.paint(cell, style(index))
            return columns[index].alignment == .right
                ? space + painted : painted + (index == cells.count - 1 ? "" : space)
        }
        return trimmed(texts.joined(separator: Self.gap))
    }

    private func trimmed(_ line: String) -> String {
        guard let last = line.lastIndex(where: { $0 != " " }) else { return "" }
        return String(line[...last])
    }
}
