// SPDX-License-Identifier: Apache-2.0

import JSON

/// The table of formats. A new format needs a file with its reader, a row here, and a place in ``all``.
extension SourceFormat {
    /// The formats that need no fields. The first one that recognises a document reads it for ``auto``.
    static let all = [auto, seed, geojson, overpass, udacity, ndjson, csv, gpx]

    /// The format that recognises others by the shape of the body.
    public static let auto = SourceFormat(
        name: "auto", allowsXML: true, parse: { (bytes) throws(SourceFormatError) in try .guessed(bytes) },
        read: FormatDetection.rows)

    /// `{"locations": [{"name", "lat", "lng"}], "updated"}`; `id`, `kind`, `link` and `rating` are optional.
    public static let seed = SourceFormat(
        name: "seed", isRecognised: { $0.root["locations"]?.elements != nil }, read: SeedFormat.rows)

    /// RFC 7946: a FeatureCollection or one Feature. Only points are read, and their altitude is ignored.
    public static let geojson = SourceFormat(
        name: "geojson", parse: { (bytes) throws(SourceFormatError) in try JSONReader.document(bytes) },
        isRecognised: GeoJSONFormat.isShape, read: GeoJSONFormat.rows)

    /// The JSON of the Overpass API: nodes, and ways and relations requested with `out center`.
    public static let overpass = SourceFormat(
        name: "overpass",
        isRecognised: { document in
            let root = document.root
            return root["elements"]?.elements != nil && (root["osm3s"] != nil || root["generator"] != nil)
        }, read: OverpassFormat.rows)

    /// The `StudentLocation` answer of Udacity's "On the Map".
    public static let udacity = SourceFormat(
        name: "udacity",
        isRecognised: { document in
            let first = document.root["results"]?.elements?.first
            return ["objectId", "uniqueKey", "mapString"].contains { first?[$0] != nil }
        }, read: UdacityFormat.rows)

    /// One JSON object a line: the output of `waymark list -o json`, or any other with well-known names.
    public static let ndjson = SourceFormat(
        name: "ndjson",
        parse: { (bytes) throws(SourceFormatError) in try JSONReader.document(bytes, hasLines: true) },
        isRecognised: { $0.syntax == .lines }, read: FormatDetection.namedRows)

    /// A table whose first line names its columns.
    public static let csv = SourceFormat(
        name: "csv", parse: TableReader.read(_:), isRecognised: { $0.syntax == .table },
        read: FormatDetection.namedRows)

    /// The waypoints of a GPX file.
    public static let gpx = SourceFormat(
        name: "gpx", allowsXML: true, parse: { SourceDocument(syntax: .xml, bytes: $0) },
        isRecognised: { $0.syntax == .xml }, read: GPXFormat.rows)

    /// Any other list of objects, also in lines or in a table.
    public static func mapping(_ mapping: FieldMapping) -> SourceFormat {
        let columns = FormatDetection.positionColumns.union(mapping.needed.map(\.text))
        return SourceFormat(
            name: "mapping",
            parse: { (bytes) throws(SourceFormatError) in try .guessed(bytes, known: columns) },
            read: { (document, _) throws(SourceFormatError) in try mapping.rows(in: document) }, mapping: mapping)
    }
}
