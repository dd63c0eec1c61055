// SPDX-License-Identifier: Apache-2.0

/// Checks on the first bytes of a body, before it is parsed.
enum Preamble {
    private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
    private static let htmlStarts = ["<!doctype html", "<html", "<head", "<body", "<script", "<meta", "<title", "<!--"]

    /// The length of the byte order mark, which RFC 8259, 8.1 allows to ignore; 0 if there is none.
    static func length(of body: [UInt8]) -> Int {
        body.starts(with: byteOrderMark) ? byteOrderMark.count : 0
    }

    static func isXML(_ body: [UInt8]) -> Bool {
        body.dropFirst(length(of: body)).first { ![0x20, 0x0a, 0x0d, 0x09].contains($0) } == UInt8(ascii: "<")
    }

    /// Refuses bodies that cannot be read, and says what they are.
    ///
    /// - Parameter allowsXML: whether markup other than HTML is allowed.
    static func check(_ body: [UInt8], allowsXML: Bool = false) throws(SourceFormatError) {
        if Gzip.isPacked(body) { throw .packed }
        let text = body.dropFirst(length(of: body)).drop { [0x20, 0x0a, 0x0d, 0x09].contains($0) }
        guard let first = text.first else { throw .empty }
        if first == UInt8(ascii: "<") {
            let start = String(decoding: text.prefix(15), as: UTF8.self).lowercased()
            if htmlStarts.contains(where: { start.hasPrefix($0) }) { throw .html }
            if !allowsXML { throw .xml }
        }
        do {
            _ = try UTF8Span(validating: body.span)
        } catch {
            throw .notUTF8(offset: error.byteOffsets.lowerBound)
        }
    }
        if let file = ForeignFile(body) { throw .foreign(file) }
}
