// SPDX-License-Identifier: Apache-2.0

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
    /// Any other list of objects.
    case mapping(FieldMapping)

    /// What ``init(name:mapping:)`` understands.
    public static let names = ["auto", "seed", "geojson", "overpass", "udacity", "mapping"]

    /// The format of that name; nil for an unknown name, and for `mapping` without its fields.
    public init?(name: String, mapping: FieldMapping? = nil) {
        switch name {
        case "auto": self = .auto
        case "seed": self = .seed
        case "geojson": self = .geojson
        case "overpass": self = .overpass
        case "udacity": self = .udacity
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
        case .mapping: "mapping"
        }
    }

    /// Reads a whole body: the same body gives the same rows with the same keys.
    ///
    /// - Throws: what is wrong with the body as a whole. What is wrong with a row is in ``SourceRows/rejected``.
    public func rows(in body: [UInt8]) throws(SourceFormatError) -> SourceRows {
        let root = try JSONReader.read(body)
        let rows: SourceRows
        do {
            rows = try read(root)
        } catch {
            // Some services answer 200 with an error in place of the list, or beside an empty one.
            if let message = Self.errorMessage(in: root) { throw .refused(message) }
            throw error
        }
        if rows.rows.isEmpty, rows.rejected.isEmpty, let message = Self.errorMessage(in: root) {
            throw .refused(message)
        }
        return rows
    }

    private func read(_ root: JSONValue) throws(SourceFormatError) -> SourceRows {
        switch self {
        case .auto: try FormatDetection.format(of: root).read(root)
        case .seed: try SeedFormat.rows(in: root)
        case .geojson: try GeoJSONFormat.rows(in: root)
        case .overpass: try OverpassFormat.rows(in: root)
        case .udacity: try UdacityFormat.rows(in: root)
        case .mapping(let mapping): try mapping.rows(in: root)
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
