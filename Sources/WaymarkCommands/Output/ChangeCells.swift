// SPDX-License-Identifier: Apache-2.0

/// The cells of a change's line, already escaped.
///
/// On a terminal the line fits into one row. If it is too long, these are dropped in order: the date, the user, the
/// position. Then the differences are cut, and last the name.
struct ChangeCells {
    var time: String
    var rev: UInt64
    var operation: String
    var style: Style
    var name: String
    var position: String
    var who: String
    var differences: String
    var id: String

    private static let gap = "  "
    /// The least width of the differences or the name, however narrow the terminal is.
    private static let leastWidth = 12

    /// - Parameter width: the columns of the terminal; nil prints the whole line.
    func line(_ painter: Painter, width: Int?) -> String {
        guard let width else { return joined(painter) }
        var cells = self
        if cells.columns > width { cells.time = String(time.split(separator: " ").last ?? "") }
        if cells.columns > width { cells.who = "" }
        if cells.columns > width { cells.position = "" }
        if cells.columns > width { Self.shorten(&cells.differences, by: cells.columns - width) }
        if cells.columns > width { Self.shorten(&cells.name, by: cells.columns - width) }
        return cells.joined(painter)
    }

    private static func shorten(_ cell: inout String, by excess: Int) {
        cell = DisplayWidth.cut(cell, to: max(leastWidth, DisplayWidth.of(cell) - excess))
    }

    private var columns: Int { DisplayWidth.of(joined(Painter(isColoured: false))) }

    private func joined(_ painter: Painter) -> String {
        let rev = String(rev)
        let cells = [
            painter.paint(time, .dim), String(repeating: " ", count: max(0, 6 - rev.count)) + rev,
            painter.paint(operation, style) + String(repeating: " ", count: max(0, 7 - operation.count)),
            painter.paint(name, .bold), position, who, differences, painter.paint(id, .dim),
        ]
        return cells.filter { !$0.isEmpty }.joined(separator: Self.gap)
    }
}
