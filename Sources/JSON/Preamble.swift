// SPDX-License-Identifier: Apache-2.0

/// Checks the first bytes of a body, before the body is parsed.
package enum Preamble {
    private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
    private static let htmlStarts = ["<!doctype html", "<html", "<head", "<body", "<script", "<meta", "<title"]

    /// Returns the length of the byte order mark, which RFC 8259, 8.1 allows a reader to ignore; 0 if there is none.
    package static func length(of body: [UInt8]) -> Int {
        body.starts(with: byteOrderMark) ? byteOrderMark.count : 0
    }

    package static func isXML(_ body: [UInt8]) -> Bool {
        body.dropFirst(length(of: body)).first { ![0x20, 0x0a, 0x0d, 0x09].contains($0) } == UInt8(ascii: "<")
    }

    package static func isPacked(_ body: [UInt8]) -> Bool { body.starts(with: [0x1f, 0x8b]) }

    /// Whether a body is a zip archive, unless it is a spreadsheet.
    package static func isZip(_ body: [UInt8]) -> Bool { ForeignFile(body) == .zip }

    /// Returns the text from its first tag on, without the comments and processing instructions before it.
    private static func firstTag(in text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = text
        while true {
            let isComment = rest.starts(with: "<!--".utf8)
            guard isComment || rest.starts(with: "<?".utf8) else { return rest }
            let (opening, closing) = isComment ? (4, "-->".utf8) : (2, "?>".utf8)
            let inner = rest.dropFirst(opening)
            guard let end = inner.indices.first(where: { inner[$0...].starts(with: closing) }) else { return [] }
            rest = inner[(end + closing.count)...].drop { [0x20, 0x0a, 0x0d, 0x09].contains($0) }
        }
    }

    /// Throws an error that names the format of a body, if the body cannot be parsed.
    ///
    /// - Parameter allowsXML: whether XML is accepted. HTML never is.
    package static func check(_ body: [UInt8], allowsXML: Bool = false) throws(JSONError) {
        if isPacked(body) { throw .packed }
        if let file = ForeignFile(body) { throw .foreign(file) }
        let text = body.dropFirst(length(of: body)).drop { [0x20, 0x0a, 0x0d, 0x09].contains($0) }
        guard let first = text.first else { throw .empty }
        if first == UInt8(ascii: "<") {
            let start = String(decoding: firstTag(in: text).prefix(15), as: UTF8.self).lowercased()
            if htmlStarts.contains(where: { start.hasPrefix($0) }) { throw .html }
            if !allowsXML { throw .xml }
        }
        do {
            _ = try UTF8Span(validating: body.span)
        } catch {
            throw .notUTF8(offset: error.byteOffsets.lowerBound)
        }
    }
}
