// SPDX-License-Identifier: Apache-2.0

import JSON
import Landmarks

/// Tells a format from the shape of a body.
enum FormatDetection {
    /// Field names that real sources use, the most telling one first.
    static let names = ["name", "title", "display_name", "city", "label"]
    static let latitudes = ["lat", "latitude", "geometry.location.lat", "location.lat", "position.lat"]
    static let longitudes = [
        "lng", "lon", "long", "longitude", "geometry.location.lng", "location.lng", "location.lon", "position.lng",
    ]
    /// In tables only, where names are short.
    private static let tableLatitudes = latitudes + ["latitude_deg", "y"]
    private static let tableLongitudes = longitudes + ["longitude_deg", "x"]
    /// The columns that tell a table's line of names, in lower case.
    static let positionColumns = Set(latitudes + longitudes + ["latitude_deg", "longitude_deg"])
    static let keys = ["id", "place_id", "key", "uuid"]
    static func names(of attribute: Attribute) -> [String] {
        switch attribute {
        case .kind: ["kind", "type", "types", "category"]
        case .link: ["link", "url", "website"]
        // The last ones are Google's. Its `opening_hours` is an object, and so never taken for a text.
        case .ratings: ["ratings", "user_ratings_total"]
        case .address: ["address", "formatted_address", "vicinity"]
        case .phone: ["phone", "tel", "telephone", "international_phone_number", "formatted_phone_number"]
        default: [attribute.rawValue]
        }
    }
    /// Of GeoNames, of ESRI's tools and of OurAirports.
    private static let tableKeys = ["geonameid", "objectid", "ident"]

    /// - Returns: the format, and the document as that format reads it.
    static func format(
        of document: SourceDocument
    ) throws(SourceFormatError) -> (format: SourceFormat, document: SourceDocument) {
        if document.syntax == .table { return (.mapping(try mapping(of: document)), document) }
        if document.syntax == .lines, document.root.elements?.first?["type"]?.text == "Feature" {
            return (.geojson, document)
        }
        do {
            return (try format(of: document.root), document)
        } catch {
            // A list of one landmark, as `waymark list -o json` prints it, is a line like any other.
            guard case .object = document.root else { throw error }
            let line = SourceDocument(syntax: .lines, root: .array([document.root]), lines: [1])
            guard let mapping = mapping(rows: "", [document.root]) else { throw error }
            return (.mapping(mapping), line)
        }
    }

    private static func format(of root: JSONValue) throws(SourceFormatError) -> SourceFormat {
        if root["locations"]?.elements != nil { return .seed }
        if ["FeatureCollection", "Feature"].contains(root["type"]?.text) { return .geojson }
        if root["elements"]?.elements != nil, root["osm3s"] != nil || root["generator"] != nil { return .overpass }
        if let first = root["results"]?.elements?.first,
            first["objectId"] != nil || first["uniqueKey"] != nil || first["mapString"] != nil
        {
            return .udacity
        }
        if let mapping = mapping(of: root) { return .mapping(mapping) }
        throw .unrecognised(found: root.summary)
    }

    /// A list of objects with well-known field names, at the top or as the only one of its kind one level below.
    private static func mapping(of root: JSONValue) -> FieldMapping? {
        if let elements = root.elements { return mapping(rows: "", elements) }
        guard case .object(let members) = root else { return nil }
        let found = members.compactMap { member in
            member.value.elements.flatMap { mapping(rows: member.name, $0) }
        }
        return found.count == 1 ? found[0] : nil
    }

    private static func mapping(rows: String, _ elements: [JSONValue]) -> FieldMapping? {
        // A field may be null in the first row: the first few together show what rows look like.
        let sample = elements.prefix(20)
        func first(of candidates: [String]) -> FieldPath? {
            candidates.lazy.map(FieldPath.init).first { path in sample.contains { path.value(in: $0)?.text != nil } }
        }
        guard let name = first(of: names), let latitude = first(of: latitudes), let longitude = first(of: longitudes)
        else { return nil }
        return FieldMapping(
            rows: FieldPath(rows), name: name, position: .angles(latitude: latitude, longitude: longitude),
            key: first(of: keys), attributes: attributes { first(of: $0) })
    }

    /// Of lines and of tables, which name their fields.
    static func mapping(of document: SourceDocument) throws(SourceFormatError) -> FieldMapping {
        guard document.syntax == .table else {
            guard let mapping = mapping(of: document.root) else { throw .unrecognised(found: document.root.summary) }
            return mapping
        }
        func first(of candidates: [String]) -> FieldPath? {
            for name in candidates {
                if let column = document.columns.first(where: { $0.equalsIgnoringASCIICase(name) }) {
                    return FieldPath(column)
                }
            }
            return nil
        }
        guard let name = first(of: names), let latitude = first(of: tableLatitudes),
            let longitude = first(of: tableLongitudes)
        else { throw .unknownColumns(document.columns) }
        return FieldMapping(
            name: name, position: .angles(latitude: latitude, longitude: longitude), key: first(of: keys + tableKeys),
            attributes: attributes { first(of: $0) })
    }

    /// - Parameter find: finds the first field of these names.
    private static func attributes(_ find: ([String]) -> FieldPath?) -> [Attribute: FieldMapping.Origin] {
        var found: [Attribute: FieldMapping.Origin] = [:]
        for attribute in Attribute.allCases { found[attribute] = find(names(of: attribute)).map { .field($0) } }
        return found
    }
}
