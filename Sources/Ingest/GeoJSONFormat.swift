// SPDX-License-Identifier: Apache-2.0

import JSON
import Landmarks

/// Reads GeoJSON (RFC 7946): points with a name among their properties. The altitude, a third coordinate, is ignored.
enum GeoJSONFormat {
    /// The names of properties that may contain the landmark's name, in any letter case, the best one first.
    static let nameProperties = ["name", "title", "label", "display_name", "name:en"]
    /// Returns the names of properties that may contain an attribute, in any letter case, the best one first.
    static func properties(of attribute: Attribute) -> [String] {
        switch attribute {
        // Natural Earth uses `featurecla`, and Photon `osm_value`.
        case .kind: ["kind", "featurecla", "osm_value", "type", "category", "amenity", "class"]
        case .link: ["url", "website", "link", "homepage", "contact:website"]
        case .address: ["address", "addr:full"]
        case .phone: ["phone", "contact:phone", "telephone"]
        default: [attribute.rawValue]
        }
    }

    /// The properties that may contain the id of a feature that has no `id` member. `@id` is written by Overpass Turbo.
    static let idProperties = ["id", "@id", "objectid"]

    static func isShape(_ document: SourceDocument) -> Bool {
        let first = document.syntax == .lines ? document.root.elements?.first : document.root
        let type = first?["type"]?.text
        return type == "Feature" || type == "FeatureCollection" && document.syntax != .lines
    }

    static func rows(in document: SourceDocument) throws(SourceFormatError) -> SourceRows {
        let root = document.root
        let features: [JSONValue]
        switch root["type"]?.text {
        case "FeatureCollection": features = try document.list("features", of: "a FeatureCollection")
        case "Feature": features = [root]
        case nil where document.syntax == .lines: features = root.elements ?? []
        default: throw .wrongShape(expected: "a FeatureCollection or a Feature", found: root.summary)
        }
        var collector = RowCollector(
            document, list: "features",
            namelessReason: "The row has no name: no property \(nameProperties.joined(separator: ", ")).")
        if let system = root["crs"]?["properties"]?["name"]?.text, !isWGS84(system) {
            collector.notice(
                "The source names the coordinate system \(system.shortened(to: 60)): it is read as WGS84 all the same.")
        }
        collector.add(features, row)
        return collector.finish(format: "geojson")
    }

    static func row(_ feature: JSONValue) -> RawRow {
        let properties = feature["properties"] ?? .null
        var row = RawRow(
            id: feature["id"]?.text ?? first(of: idProperties, in: properties)?.text,
            name: first(of: nameProperties, in: properties)?.text,
            attributes: Attribute.allCases.map { ($0, first(of: Self.properties(of: $0), in: properties)) })
        let geometry = feature["geometry"] ?? .null
        let coordinates = geometry["coordinates"]?.elements ?? []
        switch geometry["type"]?.text {
        case nil where geometry.isNull: row.fault = RowReason("The row has no geometry.", of: "have no geometry")
        case nil: row.fault = RowReason("The geometry has no type.", of: "have a geometry without a type")
        case "Point" where coordinates.count >= 2:
            // Longitude comes first: RFC 7946, 3.1.1.
            row.longitude = coordinates[0]
            row.latitude = coordinates[1]
        case "Point": row.fault = .noCoordinates
        case let type?:
            let shape = type.shortened(to: 30)
            row.fault = RowReason("The geometry is a \(shape), not a Point.", of: "are a \(shape), not a Point")
        }
        return row
    }

    /// Returns the first of the members with these names whose value is a text or a number; nil if there is none.
    private static func first(of names: [String], in properties: JSONValue) -> JSONValue? {
        guard case .object(let members) = properties else { return nil }
        return names.lazy.compactMap { name in
            members.first { $0.name.equalsIgnoringASCIICase(name) && $0.value.text != nil }?.value
        }.first
    }

    private static func isWGS84(_ system: String) -> Bool {
        system.hasSuffix("CRS84") || system.hasSuffix(":4326") || system.hasSuffix("/4326")
    }
}

extension String {
    /// - Parameter other: a text in lower case.
    func equalsIgnoringASCIICase(_ other: String) -> Bool {
        utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { mine, theirs in
                mine == theirs || (mine &- 65 < 26 && mine | 0x20 == theirs)
            }
    }
}
