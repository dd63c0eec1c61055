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

    /// The elements that are attributes of landmarks.
    private static let elements: [Attribute: String] = [
        .link: "description", .address: "address", .phone: "phoneNumber",
    ]

    static func isShape(_ document: SourceDocument) -> Bool {
        var reader = XMLReader(document.bytes)
        guard document.syntax == .xml, case .start("kml", _)? = try? reader.next() else { return false }
        return true
    }

    static func rows(in document: SourceDocument) throws(SourceFormatError) -> SourceRows {
        var reader = XMLReader(document.bytes)
        guard case .start("kml", _)? = try reader.next() else { throw .unreadable(.xml) }
        var collector = RowCollector(document, list: "Placemark", namelessReason: "The row has no name.")
        var (index, others, links) = (0, 0, 0)
        while let piece = try reader.next() {
            guard case .start(let name, _) = piece, !reader.isForeign else { continue }
            if name == "NetworkLink" { links += 1 }
            guard name == "Placemark" else { continue }
            let line = reader.currentLine()
            guard let row = try row(&reader) else {
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

    /// Reads a placemark up to and including its end tag; nil if it is no point.
    private static func row(_ reader: inout XMLReader) throws(SourceFormatError) -> RawRow? {
        var (hasShape, datum) = (false, "")
        // The texts by the path of their element, or by `=` and the name in lower case if they are data.
        var texts = try reader.texts { path, name, attributes in
            if path.count == 1, shapes.contains(name) { hasShape = true }
            // No path of interest is longer, and joining a long path for each element would take long.
            let place = path.count <= 3 ? path.joined(separator: "/") : ""
            switch place {
            case "name", "description", "address", "phoneNumber", "Point/coordinates": return place
            case "ExtendedData/Data":
                datum = "=" + (attributes["name"] ?? "").lowercased()
                return nil
            case "ExtendedData/Data/value": return datum
            case "ExtendedData/SchemaData/SimpleData": return "=" + (attributes["name"] ?? "").lowercased()
            default: return nil
            }
        }
        // A description may be any text.
        if let link = texts.first(of: ["description"]), !isAddress(link) { texts["description"] = nil }
        func data(_ names: [String]) -> String? { texts.first(of: names.map { "=" + $0 }) }
        let point = texts.first(of: ["Point/coordinates"])
        if point == nil, hasShape { return nil }
        let numbers = (point ?? "").split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false).map(\.trimmed)
        var row = RawRow(
            id: data(GeoJSONFormat.idProperties),
            name: texts.first(of: ["name"]) ?? data(GeoJSONFormat.nameProperties),
            attributes: Attribute.allCases.map { attribute in
                let own = elements[attribute].flatMap { texts.first(of: [$0]) }
                let text = data(GeoJSONFormat.properties(of: attribute)) ?? own
                return (attribute, text.map(JSONValue.string))
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
