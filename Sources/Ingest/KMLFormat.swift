// SPDX-License-Identifier: Apache-2.0

import JSON
import Landmarks

/// Reads KML (OGC 07-147r2, and Google's versions before it): `<kml><Placemark><name/><ExtendedData/><Point>
/// <coordinates>151.2,-33.8</coordinates></Point></Placemark></kml>`, in any folders. Only points become landmarks.
enum KMLFormat {
    /// The names of other geometries, also of those in Google's namespace.
    private static let shapes: Set = [
        "LineString", "LinearRing", "Polygon", "MultiGeometry", "Model", "Track", "MultiTrack",
    ]

    static func isShape(_ document: SourceDocument) -> Bool {
        var reader = XMLReader(document.bytes)
        guard document.syntax == .xml, case .start("kml", _)? = try? reader.next() else { return false }
        return true
    }

    static func rows(in document: SourceDocument, _: ReadingOptions) throws(SourceFormatError) -> SourceRows {
        var reader = XMLReader(document.bytes)
        guard case .start("kml", _)? = try reader.next() else { throw .unreadable(.xml) }
        var collector = RowCollector(list: "Placemark", namelessReason: "The row has no name.")
        var (index, others, links) = (0, 0, 0)
        while let piece = try reader.next() {
            guard case .start(let name, _) = piece, !reader.isForeign else { continue }
            if name == "NetworkLink" { links += 1 }
            guard name == "Placemark" else { continue }
            let line = reader.currentLine()
            guard let row = row(try texts(&reader)) else {
                others += 1
                continue
            }
            collector.lines.append(line)
            collector.add(row, at: index)
            index += 1
        }
        if others > 0 {
            collector.notice("Placemarks that are lines, areas or models (\(others)) were left out.")
        }
        if links > 0 { collector.notice("Its network links (\(links)) are not followed.") }
        return collector.finish(format: "kml")
    }

    /// Reads a placemark up to and including its end tag.
    ///
    /// - Returns: its texts by the path of their element; by `=` and the name in lower case if they are data; and an
    ///   empty text with the key `shape` if it has another geometry than a point.
    private static func texts(_ reader: inout XMLReader) throws(SourceFormatError) -> [String: String] {
        let depth = reader.depth
        var (texts, path, data) = ([String: String](), [String](), "")
        var inside: String?
        while reader.depth >= depth, let piece = try reader.next() {
            switch piece {
            case .start(let name, let attributes):
                if path.isEmpty, shapes.contains(name) { texts["shape"] = "" }
                path.append(reader.isForeign ? "" : name)
                // No path of interest is longer, and joining a long path for each element would take long.
                let place = path.count <= 3 ? path.joined(separator: "/") : ""
                switch place {
                case "name", "description", "address", "phoneNumber", "Point/coordinates": inside = place
                case "ExtendedData/Data": (data, inside) = ("=" + (attributes["name"] ?? "").lowercased(), nil)
                case "ExtendedData/Data/value": inside = data
                case "ExtendedData/SchemaData/SimpleData": inside = "=" + (attributes["name"] ?? "").lowercased()
                default: inside = nil
                }
                // If several elements have the same name, use the first one that has text.
                if let place = inside, texts[place] != nil { inside = nil }
            case .text(let text):
                // Blanks are not kept, so that they are looked through only once.
                if let inside, texts[inside] != nil || !text.trimmed.isEmpty { texts[inside, default: ""] += text }
            case .end:
                inside = nil
                _ = path.popLast()
            }
        }
        return texts
    }

    /// Returns the row of a placemark; nil if it is no point.
    private static func row(_ texts: [String: String]) -> RawRow? {
        func text(_ places: [String]) -> String? {
            places.lazy.compactMap { texts[$0] }.map { String($0.trimmed) }.first { !$0.isEmpty }
        }
        func data(_ names: [String]) -> String? { text(names.map { "=" + $0 }) }
        let point = text(["Point/coordinates"])
        if point == nil, texts["shape"] != nil { return nil }
        let numbers = (point ?? "").split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false).map(\.trimmed)
        var row = RawRow(
            id: data(GeoJSONFormat.idProperties), name: text(["name"]) ?? data(GeoJSONFormat.nameProperties),
            attributes: Attribute.allCases.map { attribute in
                let own: String? =
                    switch attribute {
                    case .link: text(["description"]).flatMap { isAddress($0) ? $0 : nil }
                    case .address: text(["address"])
                    case .phone: text(["phoneNumber"])
                    default: nil
                    }
                return (attribute, (data(GeoJSONFormat.properties(of: attribute)) ?? own).map(JSONValue.string))
            })
        guard numbers.count > 1 else {
            row.fault = .noCoordinates
            return row
        }
        row.longitude = .string(String(numbers[0]))
        // White space ends a position, and another one may follow.
        row.latitude = .string(String(numbers[1].prefix { !$0.isWhitespace }))
        return row
    }

    private static func isAddress(_ text: String) -> Bool {
        (text.hasPrefix("https://") || text.hasPrefix("http://")) && !text.contains { $0.isWhitespace || $0 == "<" }
    }
}
