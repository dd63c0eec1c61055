// SPDX-License-Identifier: Apache-2.0

/// JSON in lines: NDJSON, JSON Lines, GeoJSON text sequences (RFC 8142), and what `waymark list -o json` prints.
extension JSONReader {
    /// One value, or where lines of objects follow the first one, all of them as a list.
    static func valueOrLines(_ bytes: [UInt8]) throws(SourceFormatError) -> SourceDocument {
        var reader = JSONReader(bytes: bytes, position: Preamble.length(of: bytes))
        reader.skipRecordSeparator()
        let start = reader.position
        let value = try reader.value()
        guard case .object = value, reader.isAtNextLine else {
            reader.skipWhiteSpace()
            guard reader.position == bytes.count else { throw reader.malformed("something follows the JSON") }
            return SourceDocument(syntax: .json, root: value)
        }
        return try reader.lines(after: value, from: start)
    }

    /// A list of what stands in the lines (NDJSON, JSON Lines, RFC 8142).
    static func lines(_ bytes: [UInt8]) throws(SourceFormatError) -> SourceDocument {
        var reader = JSONReader(bytes: bytes, position: Preamble.length(of: bytes))
        reader.skipRecordSeparator()
        let start = reader.position
        return try reader.lines(after: try reader.value(), from: start)
    }

    private mutating func lines(after first: JSONValue, from start: Int) throws(SourceFormatError) -> SourceDocument {
        var document = SourceDocument(syntax: .lines, root: .null)
        var elements: [JSONValue] = []
        var (line, counted) = (1, 0)
        func take(_ value: JSONValue, from start: Int) {
            line += bytes[counted..<start].count { $0 == 0x0a }
            counted = start
            // The last line of `--show-cursor`: where a list goes on, and no row.
            if case .object(let members) = value, members.count == 1, members[0].name == "cursor" { return }
            elements.append(value)
            document.lines.append(line)
        }
        take(first, from: start)
        while position < bytes.count {
            guard isAtNextLine else {
                skipWhiteSpace()
                if position == bytes.count { break }
                throw malformed("a new line was expected")
            }
            skipRecordSeparator()
            let start = position
            take(try value(), from: start)
        }
        document.root = .array(elements)
        return document
    }

    /// Whether only white space stands before the next value, and a line ends in it.
    private var isAtNextLine: Bool {
        let rest = bytes[position...]
        guard let next = rest.firstIndex(where: { ![0x20, 0x0d, 0x09, 0x0a, 0x1e].contains($0) }) else { return false }
        return rest[..<next].contains(0x0a)
    }

    /// White space, and the mark that RFC 8142 has before each text.
    private mutating func skipRecordSeparator() {
        skipWhiteSpace()
        if position < bytes.count, bytes[position] == 0x1e { position += 1 }
        skipWhiteSpace()
    }
}
