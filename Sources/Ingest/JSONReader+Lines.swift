// SPDX-License-Identifier: Apache-2.0

import JSON

/// Reads lines of JSON: NDJSON, JSON Lines, GeoJSON text sequences (RFC 8142), the output of `waymark list -o json`.
extension JSONReader {
    /// Reads one value. If more lines with objects follow it, reads all of them as a list.
    ///
    /// - Parameter hasLines: whether the body is known to consist of lines, whatever values they contain.
    static func document(_ bytes: [UInt8], hasLines: Bool = false) throws(SourceFormatError) -> SourceDocument {
        var reader = JSONReader(bytes)
        reader.skipRecordSeparator()
        let start = reader.position
        do throws(JSONError) {
            let value = try reader.value()
            if hasLines { return try reader.lines(after: value, from: start) }
            if case .object = value, reader.isAtNextLine { return try reader.lines(after: value, from: start) }
            try reader.end()
            return SourceDocument(syntax: .json, root: value)
        } catch {
            throw .unreadable(error)
        }
    }

    private mutating func lines(after first: JSONValue, from start: Int) throws(JSONError) -> SourceDocument {
        var document = SourceDocument(syntax: .lines, root: .null)
        var elements: [JSONValue] = []
        var (line, counted) = (1, 0)
        func handle(_ value: JSONValue, from start: Int) {
            line += bytes[counted..<start].count { $0 == 0x0a }
            counted = start
            // The last line that `--show-cursor` prints is not a row, but tells where the list continues.
            if case .object(let members) = value, members.count == 1, members[0].name == "cursor" { return }
            elements.append(value)
            document.lines.append(line)
        }
        handle(first, from: start)
        while position < bytes.count {
            guard isAtNextLine else {
                skipWhiteSpace()
                if position == bytes.count { break }
                throw malformed("a new line was expected")
            }
            skipRecordSeparator()
            let start = position
            handle(try value(), from: start)
        }
        document.root = .array(elements)
        return document
    }

    /// Whether the next value follows after white space that contains a line break.
    private var isAtNextLine: Bool {
        let rest = bytes[position...]
        guard let next = rest.firstIndex(where: { ![0x20, 0x0d, 0x09, 0x0a, 0x1e].contains($0) }) else { return false }
        return rest[..<next].contains(0x0a)
    }

    /// Skips white space and the record separator with which RFC 8142 begins each text.
    private mutating func skipRecordSeparator() {
        skipWhiteSpace()
        if position < bytes.count, bytes[position] == 0x1e { position += 1 }
        skipWhiteSpace()
    }
}
