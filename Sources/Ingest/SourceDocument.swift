// SPDX-License-Identifier: Apache-2.0

import JSON

/// A body after parsing its syntax. Lines of JSON and tables become a list of objects.
struct SourceDocument {
    enum Syntax: String {
        case json
        /// One JSON value on each line.
        case lines = "ndjson"
        /// Comma-separated values and their like.
        case table = "csv"
    }

    var syntax: Syntax
    var root: JSONValue
    /// The line of each list element, counted from 1; empty for JSON.
    var lines: [Int] = []
    /// A table's column names, from its first line.
    var columns: [String] = []
    /// The elements that are not rows, by index, and why.
    var faults: [Int: RowReason] = [:]

    /// - Parameter bytes: consumed, so that they are freed early.
    static func read(_ bytes: consuming [UInt8], for format: SourceFormat) throws(SourceFormatError) -> SourceDocument {
        switch format {
        case .csv: return try TableReader.read(bytes)
        case .ndjson: return try JSONReader.lines(bytes)
        case .auto, .mapping:
            var known = FormatDetection.positionColumns
            if case .mapping(let mapping) = format { known.formUnion(mapping.needed.map(\.text)) }
            switch TableReader.guess(bytes, known: known) {
            case .names: return try TableReader.read(bytes)
            case .values: throw .nameless
            case .other: return try JSONReader.valueOrLines(bytes)
            }
        case .geojson: return try JSONReader.valueOrLines(bytes)
        case .seed, .overpass, .udacity, .gpx: return try json(bytes)
        }
    }

    static func json(_ bytes: [UInt8]) throws(SourceFormatError) -> SourceDocument {
        do throws(JSONError) { return SourceDocument(syntax: .json, root: try JSONReader.read(bytes)) } catch {
            throw .unreadable(error)
        }
    }
}
