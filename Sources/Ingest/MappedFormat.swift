// SPDX-License-Identifier: Apache-2.0

extension FieldMapping {
    /// The rows of any list of objects, read by this mapping.
    func rows(in root: JSONValue) throws(SourceFormatError) -> SourceRows {
        guard let elements = rows.value(in: root)?.elements else {
            let expected = rows.text.isEmpty ? "a list" : "a list at \(rows.text)"
            throw .wrongShape(expected: expected, found: root.summary)
        }
        var collector = RowCollector(
            list: rows.text, namelessReason: "It has no name: \(name.text) is missing or empty.")
        for (index, element) in elements.enumerated() { add(element, at: index, to: &collector) }
        return collector.finish(format: description)
    }

    private func add(_ element: JSONValue, at index: Int, to collector: inout RowCollector) {
        var row = RawRow(
            id: key?.value(in: element)?.text, name: name.value(in: element)?.text, kind: kindWord(of: element),
            link: link?.value(in: element)?.text, rating: rating?.value(in: element))
        switch position {
        case .angles(let latitude, let longitude):
            row.latitude = latitude.value(in: element)
            row.longitude = longitude.value(in: element)
        case .wellKnownText(let path):
            guard let value = path.value(in: element) else {
                return collector.reject("It has no coordinates.", at: index, id: row.id, name: row.name)
            }
            guard let point = WellKnownText.point(value.text ?? "") else {
                let found = value.text?.shortened(to: 40) ?? value.summary
                return collector.reject(
                    "Its position is no WKT point: \(found).", at: index, id: row.id, name: row.name)
            }
            row.latitude = .string(point.latitude)
            row.longitude = .string(point.longitude)
        }
        collector.add(row, at: index)
    }

    private func kindWord(of element: JSONValue) -> String? {
        switch kind {
        case .field(let path): path.value(in: element)?.text
        case .constant(let word): word
        case nil: nil
        }
    }
}

/// The one shape of well-known text that is a place: a point.
enum WellKnownText {
    /// Reads `Point(151.2 -33.8)`, `POINT Z (151.2 -33.8 12)`: longitude first, what comes after the latitude ignored.
    static func point(_ text: String) -> (latitude: String, longitude: String)? {
        guard text.utf8.count <= 200, let open = text.firstIndex(of: "("), text.last(where: { !$0.isWhitespace }) == ")"
        else { return nil }
        let words = text[..<open].lowercased().split(separator: " ")
        guard let first = words.first, first == "point",
            words.dropFirst().allSatisfy({ ["z", "m", "zm"].contains($0) })
        else { return nil }
        let numbers = text[text.index(after: open)...].split { $0.isWhitespace || $0 == ")" }
        guard (2...4).contains(numbers.count) else { return nil }
        return (String(numbers[1]), String(numbers[0]))
    }
}
