// SPDX-License-Identifier: Apache-2.0

import JSON

/// Reads GPX 1.0 and 1.1: `<gpx><wpt lat="" lon=""><name/><type/><sym/><link href=""/></wpt></gpx>`. Only waypoints are
/// read, because the points of routes and tracks are positions of a traveller, not landmarks.
enum GPXFormat {
    static func rows(in document: SourceDocument) throws(SourceFormatError) -> SourceRows {
        var reader = XMLReader(document.bytes)
        guard case .start("gpx", _)? = try reader.next() else { throw .unreadable(.xml) }
        var collector = RowCollector(
            document, list: "wpt", namelessReason: "The row has no name: neither name, desc nor cmt has any text.")
        var others: [String: Int] = [:]
        var index = 0
        while let piece = try reader.next() {
            guard case .start(let name, let attributes) = piece, reader.depth == 2, !reader.isForeign else { continue }
            if name == "wpt" {
                collector.lines.append(reader.currentLine())
                collector.add(try waypoint(attributes, &reader), at: index)
                index += 1
            } else {
                others[name, default: 0] += 1
            }
        }
        for (name, word) in [("rte", "routes"), ("trk", "tracks")] {
            if let count = others[name] {
                collector.notice("The points of its \(word) (\(count)) are not landmarks and were left out.")
            }
        }
        return collector.finish(format: "gpx")
    }

    /// Reads one waypoint up to and including its end tag.
    private static func waypoint(
        _ attributes: [String: String], _ reader: inout XMLReader
    ) throws(SourceFormatError) -> RawRow {
        var link: String?
        let texts = try reader.texts { path, _, attributes in
            if path == ["link"], link == nil { link = attributes["href"] }
            return path.count == 1 ? path[0] : nil
        }
        return RawRow(
            id: nil, name: texts.first(of: ["name", "desc", "cmt"]), latitude: attributes["lat"].map(JSONValue.string),
            longitude: attributes["lon"].map(JSONValue.string),
            attributes: [
                (.kind, texts.first(of: ["type", "sym"]).map(JSONValue.string)),
                (.link, (link ?? texts.first(of: ["url"])).map(JSONValue.string)),
            ])
    }
}
