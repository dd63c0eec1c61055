// SPDX-License-Identifier: Apache-2.0

import WaymarkJSON

/// Texts in aligned columns, for people. The last column is not padded.
struct TextTable {
    enum Alignment {
        case left, right
    }

    struct Column {
        var title: String
        var alignment: Alignment = .left
        var style: Style = .plain
        /// Whether the cells of this column may be cut if the terminal is too narrow for the table.
        var isFlexible = false
        /// The order in which columns are dropped on a narrow terminal: the highest number first; 0 is never dropped.
        var dropsAt = 0
        /// Whether to omit the column if all its cells are `-`.
        var isOptional = false
    }

    /// The minimum width of a column whose cells are cut.
    private static let leastWidth = 16
    private static let gap = "  "

    let columns: [Column]
    private var rows: [(cells: [String], style: Style?)] = []

    /// - Parameter rows: the cells of each row, not escaped, as for ``add(_:style:)``.
    init(_ columns: [Column], rows: [[String]] = []) {
        self.columns = columns
        for cells in rows { add(cells) }
    }

    /// - Parameters:
    ///   - cells: one text for each column. The table escapes the texts.
    ///   - style: the style of the whole row; nil if each column keeps its own style.
    mutating func add(_ cells: [String], style: Style? = nil) {
        rows.append((cells.map(Escaping.visible), style))
    }

    var isEmpty: Bool { rows.isEmpty }

    mutating func removeRows() { rows.removeAll(keepingCapacity: true) }

    /// - Parameter width: the terminal's width in columns; nil cuts nothing.
    func lines(_ painter: Painter, width: Int?) -> [String] {
        let titles = columns.map(\.title)
        var widths = columns.indices.map { index in
            ([titles] + rows.map(\.cells)).map { DisplayWidth.of($0[index]) }.max() ?? 0
        }
        let shown = fit(&widths, into: width)
        let header = line(titles, shown, widths, painter) { _ in .dim }
        return [header] + rows.map { row in line(row.cells, shown, widths, painter) { row.style ?? columns[$0].style } }
    }

    /// Returns the columns that fit after the flexible column was made as narrow as necessary.
    private func fit(_ widths: inout [Int], into width: Int?) -> [Int] {
        var shown = columns.indices.filter { index in
            !columns[index].isOptional || rows.contains { $0.cells[index] != "-" }
        }
        guard let width else { return shown }
        let flexible = columns.firstIndex(where: \.isFlexible)
        while true {
            let excess = shown.reduce(0) { $0 + widths[$1] } + Self.gap.count * (shown.count - 1) - width
            let spare = flexible.map { max(0, widths[$0] - Self.leastWidth) } ?? 0
            guard excess > spare, let last = shown.max(by: { columns[$0].dropsAt < columns[$1].dropsAt }),
                columns[last].dropsAt > 0
            else {
                if let flexible, excess > 0 { widths[flexible] -= min(excess, spare) }
                return shown
            }
            shown.removeAll { $0 == last }
        }
    }

    private func line(
        _ cells: [String], _ shown: [Int], _ widths: [Int], _ painter: Painter, style: (Int) -> Style
    ) -> String {
        let texts = shown.map { index in
            let cell = DisplayWidth.cut(cells[index], to: widths[index])
            let space = String(repeating: " ", count: max(0, widths[index] - DisplayWidth.of(cell)))
            let painted = painter.paint(cell, style(index))
            return columns[index].alignment == .right
                ? space + painted : painted + (index == shown.last ? "" : space)
        }
        var line = texts.joined(separator: Self.gap)
        while line.last == " " { line.removeLast() }
        return line
    }
}
