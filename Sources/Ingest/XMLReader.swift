// SPDX-License-Identifier: Apache-2.0

import JSON

/// Reads as much of XML 1.0 as GPX needs, piece by piece and within limits.
///
/// Foundation's XML parser would link a library of half a million lines. This reader refuses document type
/// declarations, so the only entities are the five of XML itself. Therefore it fetches nothing, and text never grows.
struct XMLReader {
    static let depthLimit = 64
    static let attributeLimit = 64
    /// The maximum number of namespaces that are declared at any point.
    static let namespaceLimit = 64
    private static let nameStops = Set(" \t\r\n/>=<\"'&".utf8)

    enum Piece: Equatable {
        /// The start of an element, with its name and attributes. Names have no prefix, but ``isForeign`` tells whether
        /// the namespace differs. A self-closing element gives a start and an end.
        case start(String, [String: String])
        case end(String)
        case text(String)
    }

    let bytes: [UInt8]
    var position: Int
    private var open: [String] = []
    private var hasRoot = false
    /// The prefixes that are declared at this point, the innermost last, each with the depth of its element.
    private var namespaces: [(depth: Int, prefix: Substring, name: String)] = []
    private var rootNamespace = ""
    /// Whether the namespace of the last started element differs from that of the first element.
    private(set) var isForeign = false
    private var pieces = 0
    private var closesItself = false
    private var counted = 0
    private var line = 1

    /// - Parameter bytes: the document, which must be valid UTF-8.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = Preamble.length(of: bytes)
    }

    var depth: Int { open.count }

    /// Returns the line of the next piece, counted from 1.
    mutating func currentLine() -> Int {
        line += bytes[counted..<position].count { $0 == 0x0a }
        counted = position
        return line
    }

    /// Returns the next piece; nil at the end.
    mutating func next() throws(SourceFormatError) -> Piece? {
        pieces += 1
        if pieces > JSONReader.valueLimit { throw .unreadable(.tooManyValues(limit: JSONReader.valueLimit)) }
        if closesItself {
            closesItself = false
            return close()
        }
        while position < bytes.count {
            if bytes[position] != UInt8(ascii: "<") {
                if let text = try characters() { return .text(text) }
            } else if skips("<!--") {
                try skip(past: "-->")
            } else if skips("<?") {
                try skip(past: "?>")
            } else if skips("<![CDATA[") {
                let start = position
                try skip(past: "]]>")
                return .text(String(decoding: bytes[start..<position - 3], as: UTF8.self))
            } else if skips("<!") {
                throw broken("it declares a document type, which is not read")
            } else if skips("</") {
                return try end()
            } else {
                return try start()
            }
        }
        if !open.isEmpty { throw broken("it is cut off: fetch it again") }
        return nil
    }

    private mutating func start() throws(SourceFormatError) -> Piece {
        position += 1
        if open.isEmpty, hasRoot { throw broken("something follows the last element") }
        hasRoot = true
        let name = try name()
        if open.count == Self.depthLimit { throw .unreadable(.tooDeep(limit: Self.depthLimit)) }
        open.append(name)
        var attributes: [String: String] = [:]
        while true {
            skipWhiteSpace()
            guard position < bytes.count else { throw broken("it is cut off: fetch it again") }
            if skips(">") { break }
            if skips("/>") {
                closesItself = true
                break
            }
            if attributes.count == Self.attributeLimit { throw broken("an element has too many attributes") }
            let attribute = try self.name()
            skipWhiteSpace()
            guard skips("=") else { throw broken("an attribute has no value") }
            skipWhiteSpace()
            guard attributes.updateValue(try attributeValue(), forKey: attribute) == nil else {
                throw broken("an attribute is given twice")
            }
        }
        try declare(attributes)
        let namespace = namespace(of: name)
        if open.count == 1 { rootNamespace = namespace }
        isForeign = namespace != rootNamespace
        return .start(Self.local(name), attributes)
    }

    private mutating func end() throws(SourceFormatError) -> Piece {
        let name = try name()
        skipWhiteSpace()
        guard skips(">"), open.last == name else { throw broken("an element is closed that is not open") }
        return close()
    }

    private mutating func close() -> Piece {
        while let last = namespaces.last, last.depth == open.count { namespaces.removeLast() }
        return .end(Self.local(open.removeLast()))
    }

    /// Records the namespaces that `xmlns="…"` and `xmlns:x="…"` declare.
    private mutating func declare(_ attributes: [String: String]) throws(SourceFormatError) {
        for (name, value) in attributes where name == "xmlns" || name.hasPrefix("xmlns:") {
            guard namespaces.count < Self.namespaceLimit else { throw broken("it declares too many namespaces") }
            namespaces.append((open.count, name.dropFirst("xmlns:".count), value))
        }
    }

    /// Returns the namespace of a name. An undeclared prefix is its own namespace.
    private func namespace(of name: String) -> String {
        let prefix = name.lastIndex(of: ":").map { name[..<$0] } ?? ""
        return namespaces.last { $0.prefix == prefix }?.name ?? String(prefix)
    }

    private mutating func attributeValue() throws(SourceFormatError) -> String {
        guard position < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[position]) else {
            throw broken("the value of an attribute is not in quotes")
        }
        let quote = bytes[position]
        position += 1
        guard let end = bytes[position...].firstIndex(where: { $0 == quote || $0 == UInt8(ascii: "<") }),
            bytes[end] == quote
        else { throw broken("the value of an attribute is not closed") }
        defer { position = end + 1 }
        return try unescaped(bytes[position..<end])
    }

    /// Reads the text up to the next tag; nil if it is white space between elements.
    private mutating func characters() throws(SourceFormatError) -> String? {
        let end = bytes[position...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        defer { position = end }
        let text = bytes[position..<end]
        if text.allSatisfy(Self.isSpace) { return nil }
        if open.isEmpty { throw broken("text stands outside of all elements") }
        return try unescaped(text)
    }

    private mutating func name() throws(SourceFormatError) -> String {
        let name = bytes[position...].prefix { !Self.nameStops.contains($0) }
        guard !name.isEmpty, name.count <= 200 else { throw broken("a name was expected") }
        position = name.endIndex
        return String(decoding: name, as: UTF8.self)
    }

    private static func local(_ name: String) -> String {
        name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
    }

    private mutating func skips(_ text: StaticString) -> Bool {
        guard bytes[position...].starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        else { return false }
        position += text.utf8CodeUnitCount
        return true
    }

    private mutating func skip(past text: StaticString) throws(SourceFormatError) {
        while position < bytes.count {
            if skips(text) { return }
            position += 1
        }
        throw broken("it is cut off: fetch it again")
    }

    private mutating func skipWhiteSpace() {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(byte) }

    mutating func broken(_ problem: String) -> SourceFormatError {
        .broken("XML", line: currentLine(), problem: problem)
    }
}
