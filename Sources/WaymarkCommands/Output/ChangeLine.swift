// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import WaymarkJSON

/// One change as a line for people: time, revision, operation, name, place, user, id, and the differences.
enum ChangeLine {
    /// - Parameters:
    ///   - id: formats an id.
    ///   - width: the columns of the terminal; nil prints the whole line.
    static func text(
        _ told: FeedChange, _ painter: Painter, id: (UUIDv7) -> String = \.description, width: Int? = nil
    ) -> String {
        cells(told.change, told.operation.rawValue, style(told.operation), id, width).line(painter, width: width)
    }

    /// A landmark of a snapshot.
    static func text(
        _ landmark: Landmark, _ painter: Painter, id: (UUIDv7) -> String = \.description, width: Int? = nil
    ) -> String {
        let change = Change(
            rev: landmark.rev, at: landmark.updated, operation: .added, user: landmark.user, landmark: landmark,
            before: nil)
        return cells(change, "init", .plain, id, width).line(painter, width: width)
    }

    private static func cells(
        _ change: Change, _ operation: String, _ style: Style, _ id: (UUIDv7) -> String, _ width: Int?
    ) -> ChangeCells {
        let landmark = change.landmark
        let place = width == nil ? Figures.position(landmark.coordinate) : Figures.shortPosition(landmark.coordinate)
        return ChangeCells(
            time: Timestamp.local(change.at), rev: change.rev, operation: operation, style: style,
            name: Escaping.visible(landmark.name), place: place, user: who(change), id: id(landmark.id),
            differences: differences(change).joined(separator: ", "))
    }

    /// The differences between before and after, already escaped.
    ///
    /// - Parameter unit: the unit for the distance of a move; nil chooses one by the distance.
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

    private static func style(_ operation: FeedOperation) -> Style {
        switch operation {
        case .added, .entered: .green
        case .changed: .yellow
        case .removed, .left: .red
        case .noted: .cyan
        }
    }

    private static func quoted(_ text: String) -> String { "\"\(Escaping.visible(text))\"" }
}
