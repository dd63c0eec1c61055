// SPDX-License-Identifier: Apache-2.0

import JSON

/// The table of formats. A new format needs a file with its reader, a constant here, and an element in `all`.
extension SourceFormat {
    /// The formats that need no names of fields. ``auto`` reads a document with the first format that recognises it.
    static let all = [auto, seed, takeout, geojson, overpass, udacity, ndjson, csv, kml, gpx]

    /// The format that chooses one of the other formats by the shape of the body.
    public static let auto = SourceFormat(
        name: "auto", allowsXML: true, parse: { (bytes) throws(SourceFormatError) in try .guessed(bytes) },
        read: FormatDetection.rows)

    /// The seed format: `{"locations": [{"name", "lat", "lng"}], "updated"}`; `id`, `kind`, `link`, `rating` are
    /// optional.
    public static let seed = SourceFormat(
        name: "seed", isRecognised: { $0.root["locations"]?.elements != nil }, read: SeedFormat.rows)

    /// The saved places of Google Takeout, as JSON or as one of its lists.
    public static let takeout = SourceFormat(
        name: "takeout", parse: { (bytes) throws(SourceFormatError) in try .guessed(bytes) },
        isRecognised: TakeoutFormat.isShape, read: TakeoutFormat.rows)

    /// GeoJSON (RFC 7946): a FeatureCollection or one Feature. Only points are read, without their altitude.
    public static let geojson = SourceFormat(
        name: "geojson", parse: { (bytes) throws(SourceFormatError) in try JSONReader.document(bytes) },
        isRecognised: GeoJSONFormat.isShape, read: GeoJSONFormat.rows)

    /// The JSON of the Overpass API: nodes, and ways and relations that were requested with `out center`.
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

    /// One JSON object on each line: the output of `waymark list -o json`, or objects with well-known field names.
    public static let ndjson = SourceFormat(
        name: "ndjson",
        parse: { (bytes) throws(SourceFormatError) in try JSONReader.document(bytes, hasLines: true) },
        isRecognised: { $0.syntax == .lines }, read: FormatDetection.namedRows)

    /// A table whose first line contains the names of its columns.
    public static let csv = SourceFormat(
        name: "csv", parse: TableReader.read(_:), isRecognised: { $0.syntax == .table },
        read: FormatDetection.namedRows)

    /// The placemarks of a KML file that are points.
    public static let kml = SourceFormat(
        name: "kml", allowsXML: true, parse: { SourceDocument(syntax: .xml, bytes: $0) },
        isRecognised: KMLFormat.isShape, read: KMLFormat.rows)

    /// The waypoints of a GPX file.
    public static let gpx = SourceFormat(
        name: "gpx", allowsXML: true, parse: { SourceDocument(syntax: .xml, bytes: $0) },
        isRecognised: { $0.syntax == .xml }, read: GPXFormat.rows)

    /// Makes the format of any other list of objects, including lines and tables.
    public static func mapping(_ mapping: FieldMapping) -> SourceFormat {
        let columns = FormatDetection.positionColumns.union(mapping.needed.map(\.text))
        return SourceFormat(
            name: "mapping",
            parse: { (bytes) throws(SourceFormatError) in try .guessed(bytes, known: columns) },
            read: { (document) throws(SourceFormatError) in try mapping.rows(in: document) }, mapping: mapping)
    }
}
