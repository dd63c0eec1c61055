// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks

/// One change as a line for people: time, revision, what, name, position, who, and what is different now.
enum ChangeLine {
    /// - Parameter id: how an id is written.
    static func text(_ told: FeedChange, _ painter: Painter, id: (UUIDv7) -> String = \.description) -> String {
        text(told.change, told.operation.rawValue, style(told.operation), painter, id)
    }

    /// A landmark of a snapshot.
    static func text(_ landmark: Landmark, _ painter: Painter, id: (UUIDv7) -> String = \.description) -> String {
        let change = Change(
            rev: landmark.rev, at: landmark.updated, operation: .added, user: landmark.user, landmark: landmark,
            before: nil)
        return text(change, "init", .plain, painter, id)
    }

    private static func text(
        _ change: Change, _ operation: String, _ style: Style, _ painter: Painter, _ id: (UUIDv7) -> String
    ) -> String {
        let landmark = change.landmark
        let rev = String(change.rev)
        var parts = [
            painter.paint(Timestamp.local(change.at), .dim),
            String(repeating: " ", count: max(0, 6 - rev.count)) + rev,
            painter.paint(operation, style) + String(repeating: " ", count: 7 - min(7, operation.count)),
            painter.paint(Escaping.visible(landmark.name), .bold), Figures.position(landmark.coordinate), who(change),
        ]
        let differences = differences(change)
        if !differences.isEmpty { parts.append(differences.joined(separator: ", ")) }
        parts.append(painter.paint(id(landmark.id), .dim))
        return parts.joined(separator: "  ")
    }

    /// What is different now, each escaped already.
    static func differences(_ change: Change) -> [String] {
        guard let before = change.before, change.operation != .removed else { return [] }
        let after = change.landmark
        var differences: [String] = []
        func compare(_ name: String, _ old: String, _ new: String) {
            if old != new { differences.append("\(name): \(quoted(old)) → \(quoted(new))") }
        }
        compare("name", before.name, after.name)
        if before.coordinate != after.coordinate {
            let metres = Geodesic.distance(from: before.coordinate, to: after.coordinate)
            differences.append("moved \(Figures.distance(metres))")
        }
        compare("kind", before.kind, after.kind)
        compare("link", before.link, after.link)
        if before.rating != after.rating {
            differences.append("rating: \(rating(before.rating)) → \(rating(after.rating))")
        }
        return differences + notes(before.notes, after.notes)
    }

    /// The keys of what is different now, as in JSON.
    static func fields(_ change: Change) -> [String] {
        guard let before = change.before, change.operation != .removed else { return [] }
        let after = change.landmark
        return [
            ("name", before.name != after.name), ("position", before.coordinate != after.coordinate),
            ("kind", before.kind != after.kind), ("link", before.link != after.link),
            ("rating", before.rating != after.rating), ("notes", before.notes != after.notes),
        ].filter(\.1).map(\.0)
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

    private static func rating(_ value: Double?) -> String { value.map(Figures.number) ?? "none" }
}
