// SPDX-License-Identifier: Apache-2.0

import WaymarkClient
import WaymarkJSON

/// A landmark with all its fields, notes and revisions, for people.
enum LandmarkBlock {
    /// The maximum length of a change in the history; a longer change is cut. A change may contain a whole note, which
    /// was already printed above.
    private static let longestChange = 200

    /// - Parameters:
    ///   - changes: the known changes of the landmark, by revision.
    ///   - width: the terminal's width in columns; nil if the output is no terminal.
    ///   - unit: the unit for the distance of a move; nil chooses a unit by the distance.
    ///   - opening: the state of the opening hours as text; nil if it is not known.
    static func lines(
        _ found: LandmarkHistory, _ painter: Painter, changes: [UInt64: Change] = [:], width: Int? = nil,
        unit: DistanceUnit? = nil, opening: String? = nil
    ) -> [String] {
        fields(found.landmark, painter, opening) + notes(found.landmark.notes, painter)
            + history(found, changes, painter, width, unit)
    }

    private static func fields(_ landmark: Landmark, _ painter: Painter, _ opening: String?) -> [String] {
        func texts(_ attributes: [Attribute]) -> [(String, String)] {
            attributes.map { ($0.word, $0.text(of: landmark.attributes)) }.filter { !$0.1.isEmpty }
        }
        var fields = [("id", landmark.id.description), ("position", Figures.position(landmark.coordinate))]
        fields += texts(Attribute.leading)
        if !landmark.user.isEmpty { fields.append(("user", landmark.user)) }
        if let source = landmark.source { fields.append(("source", "\(source.name) (key \(source.key))")) }
        fields += texts(Attribute.following)
        if let opening { fields.append(("now", opening)) }
        fields += [
            ("version", "\(landmark.version), at revision \(landmark.rev)"),
            ("created", Timestamp.local(landmark.created)), ("updated", Timestamp.local(landmark.updated)),
        ]
        let width = max(10, 1 + (fields.map(\.0.count).max() ?? 0))
        return [painter.paint(Escaping.visible(landmark.name), .bold)]
            + fields.map { "  \(painter.paint(padded($0.0, width), .dim))\(Escaping.visible($0.1))" }
    }

    private static func notes(_ notes: [Note], _ painter: Painter) -> [String] {
        guard !notes.isEmpty else { return [] }
        var lines = ["", painter.paint("Notes", .bold)]
        for note in notes {
            let user = note.user.isEmpty ? "somebody" : Escaping.visible(note.user)
            lines.append("  \(user), \(Timestamp.local(note.at))  \(painter.paint(note.id.description, .dim))")
            lines += note.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
                "    " + Escaping.visible(String($0))
            }
        }
        return lines
    }

    private static func history(
        _ found: LandmarkHistory, _ changes: [UInt64: Change], _ painter: Painter, _ width: Int?,
        _ unit: DistanceUnit?
    ) -> [String] {
        guard !found.entries.isEmpty || found.isCut else { return [] }
        // In a pipe each revision takes one line. On a terminal its differences follow in full on the lines below it.
        var table = TextTable([
            .init(title: "REV", alignment: .right), .init(title: "TIME"), .init(title: "WHAT"),
            .init(title: "VERSION", alignment: .right, dropsAt: 1), .init(title: "USER", isFlexible: true),
            .init(title: "CHANGE", isOptional: width != nil),
        ])
        let told = found.entries.map { entry in
            changes[entry.rev].map { ChangeLine.differences($0, in: unit) } ?? []
        }
        for (entry, told) in zip(found.entries, told) {
            let change = width == nil ? DisplayWidth.cut(told.joined(separator: ", "), to: longestChange) : "-"
            table.add([
                String(entry.rev), Timestamp.local(entry.at), entry.operation.rawValue, String(entry.version),
                entry.user.nilIfEmpty ?? "-", change,
            ])
        }
        var lines = table.lines(painter, width: width.map { $0 - 2 }).map { "  " + $0 }
        if width != nil {
            for (place, told) in told.enumerated().reversed() {
                lines.insert(
                    contentsOf: told.map { "      " + DisplayWidth.cut($0, to: longestChange) }, at: place + 2)
            }
        }
        return ["", painter.paint("History", .bold)] + lines
            + (found.isCut ? ["  Older revisions are no longer kept."] : [])
    }

    private static func padded(_ name: String, _ width: Int) -> String {
        name + String(repeating: " ", count: max(1, width - name.count))
    }
}
