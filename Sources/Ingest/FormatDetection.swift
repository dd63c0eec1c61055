// SPDX-License-Identifier: Apache-2.0

import JSON
import Landmarks

/// Recognises the format of a body by its shape.
enum FormatDetection {
    /// The names of fields in real sources that contain the landmark's name, the most reliable name first.
    static let names = ["name", "title", "display_name", "city", "label"]
    static let latitudes = ["lat", "latitude", "geometry.location.lat", "location.lat", "position.lat"]
    static let longitudes = [
        "lng", "lon", "long", "longitude", "geometry.location.lng", "location.lng", "location.lon", "position.lng",
    ]
    /// Additional names that are accepted only in tables, where names are short.
    private static let tableLatitudes = latitudes + ["latitude_deg", "y"]
    private static let tableLongitudes = longitudes + ["longitude_deg", "x"]
    /// The columns by which the header line of a table is recognised, in lower case.
    static let positionColumns = Set(latitudes + longitudes + ["latitude_deg", "longitude_deg"])
    static let keys = ["id", "place_id", "key", "uuid"]
    static func names(of attribute: Attribute) -> [String] {
        switch attribute {
        case .kind: ["kind", "type", "types", "category"]
        case .link: ["link", "url", "website"]
        // The last names in each list are Google's. Its `opening_hours` is an object, so it is never read as text.
        case .ratings: ["ratings", "user_ratings_total"]
        case .address: ["address", "formatted_address", "vicinity"]
        case .phone: ["phone", "tel", "telephone", "international_phone_number", "formatted_phone_number"]
        default: [attribute.rawValue]
        }
    }
    /// The names of the id columns of GeoNames, ESRI's tools and OurAirports.
    private static let tableKeys = ["geonameid", "objectid", "ident"]

    /// Recognises the format of a document by its shape, and reads the rows.
    static func rows(in document: SourceDocument) throws(SourceFormatError) -> SourceRows {
        if let format = SourceFormat.all.first(where: { $0.isRecognised(document) }) {
            return try format.read(document)
        }
        if let mapping = mapping(of: document.root) { return try mapping.rows(in: document) }
        // A single landmark, which `waymark list -o json` prints for a list of one, is read like a line.
        guard case .object = document.root, let mapping = mapping(rows: "", [document.root]) else {
            throw .unrecognised(found: document.root.summary)
        }
        return try mapping.rows(in: SourceDocument(syntax: .lines, root: .array([document.root]), lines: [1]))
    }

    /// Reads the rows of JSON lines or of a table, which contain the names of their fields.
    static func namedRows(in document: SourceDocument) throws(SourceFormatError) -> SourceRows {
        guard document.syntax == .table else {
            guard let mapping = mapping(of: document.root) else { throw .unrecognised(found: document.root.summary) }
            return try mapping.rows(in: document)
        }
        let found = mapping(tableLatitudes, tableLongitudes, keys + tableKeys) { names in
            let columns = names.lazy.compactMap { name in document.columns.first { $0.equalsIgnoringASCIICase(name) } }
            return columns.first.map { FieldPath($0) }
        }
        guard let found else { throw .unknownColumns(document.columns) }
        return try found.rows(in: document)
    }

    /// Returns the mapping for a list of objects whose field names are well known. The list is the document itself, or
    /// the only such list one level below. Nil if there is no such list.
    private static func mapping(of root: JSONValue) -> FieldMapping? {
        if let elements = root.elements { return mapping(rows: "", elements) }
        guard case .object(let members) = root else { return nil }
        let found = members.compactMap { member in
            member.value.elements.flatMap { mapping(rows: member.name, $0) }
        }
        return found.count == 1 ? found[0] : nil
    }

    private static func mapping(rows: String, _ elements: [JSONValue]) -> FieldMapping? {
        // A field may be null in the first row, so examine the first few rows together.
        let sample = elements.prefix(20)
        var mapping = mapping(latitudes, longitudes, keys) { names in
            names.lazy.map(FieldPath.init).first { path in sample.contains { path.value(in: $0)?.text != nil } }
        }
        mapping?.rows = FieldPath(rows)
        return mapping
    }

    /// - Parameter find: finds the first field that has one of the names.
    private static func mapping(
        _ latitudes: [String], _ longitudes: [String], _ keys: [String], _ find: ([String]) -> FieldPath?
    ) -> FieldMapping? {
        guard let name = find(names), let latitude = find(latitudes), let longitude = find(longitudes) else {
            return nil
        }
        var mapping = FieldMapping(
            name: name, position: .angles(latitude: latitude, longitude: longitude), key: find(keys))
        for attribute in Attribute.allCases {
            mapping.attributes[attribute] = find(names(of: attribute)).map { .field($0) }
        }
        return mapping
    }
}
