// SPDX-License-Identifier: Apache-2.0

/// The cells of a change's line, already escaped: time, revision, operation, name, place, user, id, and at the end the
/// differences.
///
/// On a terminal the line fits into one row. Differences that find no room behind the id take that of the user and of
/// the id, and are cut.
struct ChangeCells {
    var time: String
    var rev: UInt64
    var operation: String
    var style: Style
    var name: String
    var place: String
    var user: String
    var id: String
    var differences: String

    /// The least width of differences that are cut, beside nothing and beside the user or the id.
    private static let leastDifferences = (alone: 12, beside: 32)

    private struct Cell {
        var text: String
        var width: Int
        var style = Style.plain
    }

    /// - Parameter width: the columns of the terminal; nil cuts nothing.
    func line(_ painter: Painter, width: Int?) -> String {
        let columns = ChangeColumns(width: width, rev: rev, id: DisplayWidth.of(id))
        let clock = time.split(separator: " ").last.map(String.init) ?? ""
        let digits = String(rev)
        let front = [
            Cell(text: columns.time > ChangeColumns.clock ? time : clock, width: columns.time, style: .dim),
            Cell(text: Self.space(columns.rev - digits.utf8.count) + digits, width: columns.rev),
            Cell(text: operation, width: ChangeColumns.operation, style: style),
            Cell(text: name, width: columns.name, style: .bold), Cell(text: place, width: columns.place),
        ]
        let cells = front + back(columns, width.map { $0 - columns.front - ChangeColumns.gap })
        let texts = cells.filter { $0.width > 0 }.map { cell in
            let text = width == nil ? cell.text : DisplayWidth.cut(cell.text, to: cell.width)
            return (painter.paint(text, cell.style), Self.space(cell.width - DisplayWidth.of(text)))
        }
        let line = texts.dropLast().map { $0 + $1 + Self.space(ChangeColumns.gap) }.joined()
        return line + (texts.last?.0 ?? "")
    }

    /// The cells behind the place.
    ///
    /// - Parameter room: the columns there; nil: as many as it takes.
    private func back(_ columns: ChangeColumns, _ room: Int?) -> [Cell] {
        var cells = [
            Cell(text: user, width: columns.user), Cell(text: id, width: columns.id, style: .dim),
        ].filter { $0.width > 0 }
        guard !differences.isEmpty else { return cells }
        let wanted = DisplayWidth.of(differences)
        guard let room else { return cells + [Cell(text: differences, width: wanted)] }
        func left() -> Int { room - cells.reduce(0) { $0 + $1.width + ChangeColumns.gap } }
        while !cells.isEmpty, left() < min(wanted, Self.leastDifferences.beside) { cells.removeFirst() }
        guard left() >= min(wanted, Self.leastDifferences.alone) else { return cells }
        return cells + [Cell(text: differences, width: min(wanted, left()))]
    }

    private static func space(_ columns: Int) -> String { String(repeating: " ", count: max(0, columns)) }
}
