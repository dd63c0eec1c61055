// SPDX-License-Identifier: Apache-2.0

import JSON

/// Reads the format of the Overpass API: `{"elements": [{"type", "id", "lat", "lon", "center", "tags"}], "remark"}`.
enum OverpassFormat {
    /// The tags that may contain the name, the best one first.
    static let nameTags = ["name", "name:en", "official_name"]
    static let linkTags = ["website", "contact:website", "url"]

    static func rows(in document: SourceDocument) throws(SourceFormatError) -> SourceRows {
        let elements = try document.list("elements")
        var collector = RowCollector(
            document, list: "elements",
            namelessReason: "The row has no name: no tag \(nameTags.joined(separator: ", ")).")
        var brokeOff: String?
        if let remark = document.root["remark"]?.text {
            // A runtime error ends the list early, so the missing elements would be mistaken for vanished ones.
            let shown = remark.shortened(to: 300)
            if remark.firstRange(of: "error") != nil { brokeOff = shown }
            collector.notice("The source remarks: \(shown)")
        }
        collector.add(elements, row)
        var rows = collector.finish(format: "overpass")
        rows.brokeOff = brokeOff
        return rows
    }

    private static func row(_ element: JSONValue) -> RawRow {
        let type = element["type"]?.text ?? "element"
        let tags = element["tags"] ?? .null
        let position = type == "node" ? element : element["center"] ?? .null
        var row = RawRow(
            id: element["id"]?.text.map { "\(type)/\($0)" }, name: first(of: nameTags, in: tags),
            latitude: position["lat"], longitude: position["lon"],
            attributes: [
                (.kind, OpenStreetMapKind.of(tags).map(JSONValue.string)),
                (.link, first(of: linkTags, in: tags).map(JSONValue.string)),
                (.address, address(in: tags).map(JSONValue.string)),
                (.phone, first(of: ["phone", "contact:phone"], in: tags).map(JSONValue.string)),
                (.openingHours, tags["opening_hours"]),
            ])
        if type != "node", position["lat"] == nil {
            row.fault = RowReason(
                "The row is of type \(type.shortened(to: 20)) and has no centre: ask for it with \"out center\".",
                of: "are ways or relations without a centre: ask for them with \"out center\"")
        }
        return row
    }

    /// Returns the address: `addr:full`, or else house number and street, suburb, and postcode with city.
    private static func address(in tags: JSONValue) -> String? {
        if let whole = tags["addr:full"]?.text { return whole }
        let parts = [["addr:housenumber", "addr:street"], ["addr:suburb"], ["addr:postcode", "addr:city"]]
            .map { names in names.compactMap { tags[$0]?.text }.joined(separator: " ") }
        // Only a postcode or a house number is no address.
        guard tags["addr:street"] != nil || tags["addr:city"] != nil else { return nil }
        return parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    private static func first(of names: [String], in tags: JSONValue) -> String? {
        names.lazy.compactMap { tags[$0]?.text }.first
    }
}
