// SPDX-License-Identifier: Apache-2.0

import JSON

/// How a source writes its landmarks: turns bytes into drafts, and rejections with a reason.
public enum SourceFormat: Hashable, Sendable {
    /// Told from the shape of the body.
    case auto
    /// `{"locations": [{"name", "lat", "lng"}], "updated"}`; `id`, `kind`, `link` and `rating` are taken where given.
    case seed
    /// RFC 7946: a FeatureCollection or one Feature; points only, their altitude ignored.
    case geojson
    /// The JSON of the Overpass API: nodes, and ways and relations asked for with `out center`.
    case overpass
    /// The `StudentLocation` answer of Udacity's "On the Map".
    case udacity
    /// One JSON object a line: what `waymark list -o json` prints, or any other with well-known names.
    case ndjson
    /// A table whose first line names its columns.
    case csv
    /// The waypoints of a GPX file.
    case gpx
    /// Any other list of objects, also in lines or in a table.
    case mapping(FieldMapping)

    /// The most values (texts, numbers, lists, objects, cells of a table) that one body may hold: what they take in memory
    /// is bounded by it.
    public static let valueLimit = JSONReader.valueLimit

    /// What ``init(name:mapping:)`` understands.
    public static let names = ["auto", "seed", "geojson", "overpass", "udacity", "ndjson", "csv", "gpx", "mapping"]

    /// The format of that name; nil for an unknown name, and for `mapping` without its fields.
    public init?(name: String, mapping: FieldMapping? = nil) {
        switch name {
        case "auto": self = .auto
        case "seed": self = .seed
        case "geojson": self = .geojson
        case "overpass": self = .overpass
        case "udacity": self = .udacity
        case "ndjson": self = .ndjson
        case "csv": self = .csv
        case "gpx": self = .gpx
        case "mapping":
            guard let mapping else { return nil }
            self = .mapping(mapping)
        default: return nil
        }
    }

    /// As in the configuration: one of ``names``.
    public var name: String {
        switch self {
        case .auto: "auto"
        case .seed: "seed"
        case .geojson: "geojson"
        case .overpass: "overpass"
        case .udacity: "udacity"
        case .ndjson: "ndjson"
        case .csv: "csv"
        case .gpx: "gpx"
        case .mapping: "mapping"
        }
    }

    /// Reads a whole body, packed with gzip or not: the same body gives the same rows with the same keys.
    ///
    /// - Parameter body: let go of before its rows are made, for both are large.
    /// - Throws: what is wrong with the body as a whole. What is wrong with a row is in ``SourceRows/rejected``.
    public func rows(
        in body: consuming [UInt8], _ options: ReadingOptions = ReadingOptions()
    ) throws(SourceFormatError) -> SourceRows {
        if Gzip.isPacked(body) { body = try Gzip.unpack(body, limit: options.maxBytes) }
        try Preamble.check(body, allowsXML: self == .gpx || self == .auto)
        if self == .gpx || self == .auto && Preamble.isXML(body) { return try GPXFormat.rows(in: body) }
        let document = try SourceDocument.read(consume body, for: self)
        let root = document.root
        let rows: SourceRows
        do {
            rows = try read(document, options)
        } catch {
            if case .partial = error { throw error }
            // Some services answer 200 with an error in place of the list, or beside an empty one.
            if let message = Self.errorMessage(in: root) { throw .refused(message) }
            throw error
        }
        if rows.rows.isEmpty, rows.rejected.isEmpty, let message = Self.errorMessage(in: root) {
            throw .refused(message)
        }
        return rows
    }

    private func read(
        _ document: SourceDocument, _ options: ReadingOptions
    ) throws(SourceFormatError) -> SourceRows {
        switch self {
        case .auto:
            let (format, document) = try FormatDetection.format(of: document)
            return try format.read(document, options)
        case .ndjson, .csv: return try FormatDetection.mapping(of: document).rows(in: document)
        case .seed: return try SeedFormat.rows(in: document.root)
        case .geojson: return try GeoJSONFormat.rows(in: document)
        case .overpass: return try OverpassFormat.rows(in: document.root, options)
        case .udacity: return try UdacityFormat.rows(in: document.root)
        case .gpx: throw .xml
        case .mapping(let mapping): return try mapping.rows(in: document)
        }
    }

    private static func errorMessage(in root: JSONValue) -> String? {
        for name in ["error_message", "error", "remark", "errors"] {
            guard let value = root[name] else { continue }
            if let message = value.text ?? value["message"]?.text { return message.shortened(to: 300) }
        }
        return nil
    }
}
