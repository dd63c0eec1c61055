// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import WaymarkJSON

/// One change as a line for people: time, revision, operation, name, position, user, id, and finally the differences.
///
/// On a terminal the line fits into one row. If the differences do not fit after the id, they replace the user, and the
/// id if necessary. If they are still too long, they are cut.
enum ChangeLine {
    /// The minimum width of cut differences: `alone` after the position, `beside` after the user or the id.
    private static let leastDifferences = (alone: 12, beside: 32)

    /// A cell whose text is already escaped.
    private struct Cell {
        var text: String
        var width: Int
        var style = Style.plain
    }

    /// - Parameters:
    ///   - operation: the operation from the view of the reader's filter; nil for a landmark of a snapshot.
    ///   - id: formats an id.
    ///   - width: the terminal's width in columns; nil prints the whole line.
    static func text(
        _ change: Change, as operation: FeedOperation?, _ painter: Painter, id: (UUIDv7) -> String = \.description,
        width: Int? = nil
    ) -> String {
        let landmark = change.landmark
        let (id, rev) = (id(landmark.id), String(change.rev))
        let columns = ChangeColumns(width: width, rev: change.rev, id: DisplayWidth.of(id))
        let time =
            columns.time > ChangeColumns.clock
            ? Timestamp.local(change.at) : Timestamp.local(change.at, format: "%H:%M:%S")
        let place = Figures.position(landmark.coordinate, digits: width == nil ? 7 : 5)
        var cells = [
            Cell(text: time, width: columns.time, style: .dim),
            Cell(text: space(columns.rev - rev.utf8.count) + rev, width: columns.rev),
            Cell(text: operation?.rawValue ?? "init", width: ChangeColumns.operation, style: style(operation)),
            Cell(text: Escaping.visible(landmark.name), width: columns.name, style: .bold),
            Cell(text: place, width: columns.place),
        ]
        let back = [
            Cell(text: who(change), width: columns.user), Cell(text: id, width: columns.id, style: .dim),
        ].filter { $0.width > 0 }
        let differences = differences(change).joined(separator: ", ")
        cells += beside(differences, back, width.map { $0 - columns.front - ChangeColumns.gap })
        let texts = cells.filter { $0.width > 0 }.map { cell in
            let text = width == nil ? cell.text : DisplayWidth.cut(cell.text, to: cell.width)
            return (painter.paint(text, cell.style), space(cell.width - DisplayWidth.of(text)))
        }
        let line = texts.dropLast().map { $0 + $1 + space(ChangeColumns.gap) }.joined()
        return line + (texts.last?.0 ?? "")
    }

    /// Returns the cells after the position, and as much of the differences as fits.
    ///
    /// - Parameter room: the columns available after the position; nil if there is no limit.
    private static func beside(_ differences: String, _ back: [Cell], _ room: Int?) -> [Cell] {
        guard !differences.isEmpty else { return back }
        let wanted = DisplayWidth.of(differences)
        guard let room else { return back + [Cell(text: differences, width: wanted)] }
        var cells = back
        func left() -> Int { room - cells.reduce(0) { $0 + $1.width + ChangeColumns.gap } }
        while !cells.isEmpty, left() < min(wanted, leastDifferences.beside) { cells.removeFirst() }
        guard left() >= min(wanted, leastDifferences.alone) else { return cells }
        return cells + [Cell(text: differences, width: min(wanted, left()))]
    }

    private static func space(_ columns: Int) -> String { String(repeating: " ", count: max(0, columns)) }

    /// Describes the differences between the landmark before and after the change, escaped.
    ///
    /// - Parameter unit: the unit for the distance of a move; nil chooses a unit by the distance.
    static func differences(_ change: Change, in unit: DistanceUnit? = nil) -> [String] {
        guard let before = change.before, change.operation != .removed else { return [] }
        let after = change.landmark
        var differences: [String] = []
        if before.name != after.name {
            differences.append("name: \(quoted(before.name)) → \(quoted(after.name))")
        }
        if before.coordinate != after.coordinate {
            let metres = Geodesic.distance(from: before.coordinate, to: after.coordinate)
            differences.append("moved \(Figures.distance(metres, in: unit))")
        }
        differences += Attribute.allCases.compactMap { $0.difference(before.attributes, after.attributes) }
        return differences + notes(before.notes, after.notes)
    }

    private static func notes(_ before: [Note], _ after: [Note]) -> [String] {
        let old = Dictionary(before.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let kept = Set(after.map(\.id))
        let written = after.compactMap { note -> String? in
            guard let previous = old[note.id] else { return "note: \(quoted(note.text))" }
            return previous.text == note.text ? nil : "note: \(quoted(previous.text)) → \(quoted(note.text))"
        }
        return written + before.filter { !kept.contains($0.id) }.map { "note removed: \(quoted($0.text))" }
    }

    private static func who(_ change: Change) -> String {
        if !change.user.isEmpty { return "by \(Escaping.visible(change.user))" }
        return change.landmark.source.map { "from \(Escaping.visible($0.name))" } ?? "by nobody"
    }

    private static func style(_ operation: FeedOperation?) -> Style {
        switch operation {
        case nil: .plain
        case .added?, .entered?: .green
        case .changed?: .yellow
        case .removed?, .left?: .red
        case .noted?: .cyan
        }
    }

    private static func quoted(_ text: String) -> String { "\"\(Escaping.visible(text))\"" }
}
