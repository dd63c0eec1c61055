// SPDX-License-Identifier: Apache-2.0

import JSON

/// A body whose syntax was parsed. JSON lines and tables become a list of objects.
struct SourceDocument {
    enum Syntax: String {
        case json
        /// One JSON value on each line.
        case lines = "ndjson"
        /// Comma-separated values, or values with a different separator.
        case table = "csv"
        /// XML, which is not parsed in advance but read piece by piece.
        case xml
    }

    var syntax: Syntax
    /// The parsed value; null for XML.
    var root = JSONValue.null
    /// The line on which each list element begins, counted from 1; empty for JSON.
    var lines: [Int] = []
    /// A table's column names, from its first line.
    var columns: [String] = []
    /// The reasons why elements of the list are no rows, by the index of the element.
    var faults: [Int: RowReason] = [:]
    /// The unparsed body of XML; otherwise empty.
    var bytes: [UInt8] = []

    static func json(_ bytes: [UInt8]) throws(SourceFormatError) -> SourceDocument {
        do throws(JSONError) { return SourceDocument(syntax: .json, root: try JSONReader.read(bytes)) } catch {
            throw .unreadable(error)
        }
    }

    /// Recognises the syntax by the first bytes, and parses the body.
    ///
    /// - Parameter known: the columns by which the header line of a table is recognised.
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

    /// Returns the top-level member with this name, which must be a list in this format.
    func list(_ name: String, of owner: String = "an object") throws(SourceFormatError) -> [JSONValue] {
        guard let list = root[name]?.elements else {
            throw .wrongShape(expected: "\(owner) with a list named \(name)", found: root.summary)
        }
        return list
    }
}
