// SPDX-License-Identifier: Apache-2.0

import JSON
import Landmarks

/// Reads the saved places of Google Takeout: `Saved Places.json`, which is GeoJSON with names of its own, and the lists
/// `Title,Note,URL,Comment`, whose only positions are those that some URLs contain.
enum TakeoutFormat {
    static func isShape(_ document: SourceDocument) -> Bool {
        let sample = document.root.elements ?? document.root["features"]?.elements ?? []
        if document.syntax == .table {
            guard document.columns.allSatisfy({ !FormatDetection.positionColumns.contains($0.lowercased()) }) else {
                return false
            }
        }
        return sample.prefix(20).contains { url(of: $0, in: document).map(isMap) == true }
    }

    static func rows(in document: SourceDocument) throws(SourceFormatError) -> SourceRows {
        let isTable = document.syntax == .table
        let elements: [JSONValue]
        if let rows = document.root.elements { elements = rows } else { elements = try document.list("features") }
        var collector = RowCollector(document, list: "features", namelessReason: "The row has no name.")
        for (index, element) in elements.enumerated() {
            // The first row of a list is blank.
            if case .object(let members) = element, members.isEmpty { continue }
            let url = url(of: element, in: document)
            var row = isTable ? RawRow(name: document.columns.first.flatMap { element[$0]?.text }) : place(element)
            row.attributes.append((.link, url.map(JSONValue.string)))
            locate(&row, by: url ?? "")
            collector.add(row, at: index)
        }
        return collector.finish(format: "takeout")
    }

    private static func place(_ feature: JSONValue) -> RawRow {
        var row = GeoJSONFormat.row(feature)
        let properties = feature["properties"] ?? .null
        let location = properties["location"] ?? properties["Location"] ?? .null
        row.name = (location["name"] ?? location["Business Name"])?.text ?? row.name
        row.attributes = [(.address, location["address"] ?? location["Address"])]
        return row
    }

    /// Sets the position that the URL contains, if the row has none. Google writes 0, 0 for none.
    private static func locate(_ row: inout RawRow, by url: String) {
        let isNowhere = [row.latitude, row.longitude].allSatisfy { $0.flatMap(Decimal.read) ?? 0 == 0 }
        guard isNowhere else { return }
        guard let (latitude, longitude) = position(in: url) else {
            row.fault = RowReason(
                "The row has no position, and its URL has none.", of: "have no position, and none in their URL")
            return
        }
        row.fault = nil
        (row.latitude, row.longitude) = (.string(latitude), .string(longitude))
        // A pin that was dropped has no name.
        row.name = row.name ?? "\(latitude), \(longitude)"
    }

    private static func url(of element: JSONValue, in document: SourceDocument) -> String? {
        if document.syntax == .table {
            return document.columns.first { $0.equalsIgnoringASCIICase("url") }.flatMap { element[$0]?.text }
        }
        let properties = element["properties"] ?? .null
        return (properties["google_maps_url"] ?? properties["Google Maps URL"])?.text
    }

    private static func isMap(_ url: String) -> Bool {
        ["google.", "goo.gl"].contains { url.firstRange(of: $0) != nil } && url.firstRange(of: "maps") != nil
    }

    /// Returns the position in a URL of Google Maps: that of the place, of what was searched for, or of the map.
    static func position(in url: String) -> (latitude: String, longitude: String)? {
        guard url.utf8.count <= 4_096 else { return nil }
        let url = String(percentEncoded: url) ?? url
        if let place = url.firstRange(of: "!3d"), let rest = url[place.upperBound...].firstRange(of: "!4d"),
            let found = numbers(
                [url[place.upperBound..<rest.lowerBound], url[rest.upperBound...].prefix(while: isDigit)])
        {
            return found
        }
        for mark in ["?q=", "&q=", "?query=", "&query=", "/search/", "/place/", "/@"] {
            guard let place = url.firstRange(of: mark) else { continue }
            let text = url[place.upperBound...].prefix { isDigit($0) || $0 == "," || $0 == "+" || $0 == " " }
            // An address may begin with numbers: "12, 3rd Street".
            guard mark == "/@" || text.endIndex == url.endIndex || "/&?#".contains(url[text.endIndex]) else { continue }
            if let found = numbers(text.split(separator: ",", omittingEmptySubsequences: false)) { return found }
        }
        return nil
    }

    private static func isDigit(_ character: Character) -> Bool { "-.0123456789".contains(character) }

    /// Returns the first two numbers; nil if they are none. A plus sign is a space.
    private static func numbers(_ texts: [Substring]) -> (latitude: String, longitude: String)? {
        let texts = texts.prefix(2).map { String($0.replacing("+", with: " ").trimmed) }
        guard texts.count == 2, texts.allSatisfy({ DecimalText.number($0) != nil }) else { return nil }
        return (texts[0], texts[1])
    }
}
