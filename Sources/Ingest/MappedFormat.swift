// SPDX-License-Identifier: Apache-2.0

import JSON
import Landmarks

extension FieldMapping {
    /// Reads the rows of any list of objects by this mapping.
    func rows(in document: SourceDocument) throws(SourceFormatError) -> SourceRows {
        let root = document.root
        guard let elements = rows.value(in: root)?.elements else {
            throw .noRows(path: rows.text.shortened(to: 60), found: root.summary, lists: root.listPlaces)
        }
        var collector = RowCollector(
            document, list: rows.text, namelessReason: "The row has no name: \(name.text) is missing or empty.")
        collector.add(elements, row)
        noticeUnknownFields(elements, &collector)
        return collector.finish(format: description(of: document.syntax))
    }

    /// Adds a notice about each field that every row needs and that no row has, because its name was probably mistyped.
    private func noticeUnknownFields(_ elements: [JSONValue], _ collector: inout RowCollector) {
        guard case .object(let members)? = elements.first else { return }
        let there = members.prefix(12).map { $0.name.shortened(to: 30) }.joined(separator: ", ")
        for field in needed where !elements.contains(where: { field.value(in: $0) != nil }) {
            collector.notice("No row has the field \(field.text.shortened(to: 60)): the first one has \(there).")
        }
    }

    /// The fields that every row needs.
    var needed: [FieldPath] {
        switch position {
        case .angles(let latitude, let longitude): [name, latitude, longitude]
        case .wellKnownText(let path): [name, path]
        }
    }

    private func row(_ element: JSONValue) -> RawRow {
        var row = RawRow(
            id: key?.value(in: element)?.text, name: name.value(in: element)?.text,
            attributes: Attribute.allCases.compactMap { attribute in
                switch attributes[attribute] {
                case .field(let path): (attribute, path.value(in: element))
                case .constant(let value): (attribute, .string(value))
                case nil: nil
                }
            })
        switch position {
        case .angles(let latitude, let longitude):
            row.latitude = latitude.value(in: element)
            row.longitude = longitude.value(in: element)
        case .wellKnownText(let path):
            guard let value = path.value(in: element) else {
                row.fault = .noCoordinates
                break
            }
            if let point = WellKnownText.point(value.text ?? "") {
                row.latitude = .string(point.latitude)
                row.longitude = .string(point.longitude)
            } else {
                let found = value.text?.shortened(to: 40) ?? value.summary
                row.fault = RowReason(
                    "The position is neither a WKT point of WGS 84 nor LAT,LNG: \(found).",
                    of: "have a position that is neither a WKT point of WGS 84 nor LAT,LNG")
            }
        }
        return row
    }
}

/// Reads a position from one text, which is a point in well-known text or contains both numbers.
enum WellKnownText {
    /// The reference systems of GPS, without and with a height. In a system with another number the same coordinates
    /// mean different places.
    private static let systems: Set<Substring> = ["srid=4326", "srid=4979"]

    /// Reads `Point(151.2 -33.8)`, `POINT Z (151.2 -33.8 12)` or `SRID=4326;POINTZ(151.2 -33.8 12)`, with the longitude
    /// first; everything after the latitude is ignored. Also reads `-33.8, 151.2`, as people write it, with the
    /// latitude first.
    static func point(_ text: String) -> (latitude: String, longitude: String)? {
        guard text.utf8.count <= 200 else { return nil }
        guard let open = text.firstIndex(of: "(") else { return pair(text) }
        guard text.last(where: { !$0.isWhitespace }) == ")" else { return nil }
        let parts = text[..<open].lowercased().split(separator: ";")
        guard parts.count < 2 || parts.count == 2 && systems.contains(parts[0].filter { !$0.isWhitespace }[...]) else {
            return nil
        }
        let shape = (parts.last ?? "").filter { !$0.isWhitespace }
        guard ["point", "pointz", "pointm", "pointzm"].contains(shape) else { return nil }
        let numbers = text[text.index(after: open)...].split { $0.isWhitespace || $0 == ")" }
        guard (2...4).contains(numbers.count) else { return nil }
        return (String(numbers[1]), String(numbers[0]))
    }

    private static func pair(_ text: String) -> (latitude: String, longitude: String)? {
        let halves = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard halves.count == 2, halves.allSatisfy({ DecimalText.number($0) != nil }) else { return nil }
        return (String(halves[0].trimmed), String(halves[1].trimmed))
    }
}
