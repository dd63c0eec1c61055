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
        /// Not parsed yet: it is read piece by piece.
        case xml
    }

    var syntax: Syntax
    /// Null for XML.
    var root = JSONValue.null
    /// The line of each list element, counted from 1; empty for JSON.
    var lines: [Int] = []
    /// A table's column names, from its first line.
    var columns: [String] = []
    /// The elements that are not rows, by index, and why.
    var faults: [Int: RowReason] = [:]
    /// The body itself; empty except for XML.
    var bytes: [UInt8] = []

    static func json(_ bytes: [UInt8]) throws(SourceFormatError) -> SourceDocument {
        do throws(JSONError) { return SourceDocument(syntax: .json, root: try JSONReader.read(bytes)) } catch {
            throw .unreadable(error)
        }
    }

    /// Tells the syntax from the bytes.
    ///
    /// - Parameter known: columns by which a table's line of names is known: see ``TableReader/guess(_:known:)``.
    static func guessed(
        _ bytes: [UInt8], known: Set<String> = FormatDetection.positionColumns
    ) throws(SourceFormatError) -> SourceDocument {
        if Preamble.isXML(bytes) { return SourceDocument(syntax: .xml, bytes: bytes) }
        switch TableReader.guess(bytes, known: known) {
        case .names: return try TableReader.read(bytes)
        case .values: throw .nameless
        case .other: return try JSONReader.document(bytes)
        }
    }

    /// A list that the format's shape has at the top.
    func list(_ name: String) throws(SourceFormatError) -> [JSONValue] {
        guard let list = root[name]?.elements else {
            throw .wrongShape(expected: "an object with a list named \(name)", found: root.summary)
        }
        return list
    }
}
