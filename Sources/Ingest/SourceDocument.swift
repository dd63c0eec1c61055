// SPDX-License-Identifier: Apache-2.0

/// A body after its syntax was read: JSON as it stands; lines of JSON and tables as a list of objects.
struct SourceDocument {
    enum Syntax: String {
        case json
        /// One JSON value a line.
        case lines = "ndjson"
        /// Comma-separated values and their like.
        case table = "csv"
    }

    var syntax: Syntax
    var root: JSONValue
    /// The line that each element of the list begins in, counted from 1; empty for JSON.
    var lines: [Int] = []
    /// A table's columns, as its first line names them.
    var columns: [String] = []
    /// Elements that are no rows, by their place in the list, and why.
    var faults: [Int: RowReason] = [:]

    /// - Parameter bytes: gone when it returns.
    static func read(_ bytes: consuming [UInt8], for format: SourceFormat) throws(SourceFormatError) -> SourceDocument {
        switch format {
        case .csv: return try TableReader.read(bytes)
        case .ndjson: return try JSONReader.lines(bytes)
        case .auto, .mapping:
            return TableReader.looksLikeTable(bytes)
                ? try TableReader.read(bytes) : try JSONReader.valueOrLines(bytes)
        case .geojson: return try JSONReader.valueOrLines(bytes)
        case .seed, .overpass, .udacity, .gpx:
            return SourceDocument(syntax: .json, root: try JSONReader.read(bytes))
        }
    }
}
