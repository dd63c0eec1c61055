// SPDX-License-Identifier: Apache-2.0

/// An event of `/v1/changes`.
public enum WebEvent: Hashable, Sendable {
    /// The first line has come.
    case begun
    case beacon(rev: UInt64)
    /// A change, with the number of the write that added its landmark; nil if this test did not add it.
    case change(rev: UInt64, number: UInt64?, bytes: Int)
}

/// Reads an answer of `/v1/changes`, which has no end, as its bytes come.
public struct WebStreamReader: Sendable {
    /// The maximum size of a line in bytes.
    private static let mostLine = 1 << 20
    private static let nameField = Array("\"name\":\"".utf8)

    private let names: WrittenNames?
    private var reply = HTTPReplyReader(mostBody: nil)
    /// The line that has not ended yet.
    private var line: [UInt8] = []
    private var hasBegun = false
    /// The name of the event that has not ended yet.
    private var event = ""
    private var rev: UInt64?
    private var number: UInt64?
    private var bytes = 0

    /// - Parameter names: the names of the landmarks whose numbers are read; nil if none are.
    public init(_ names: WrittenNames?) { self.names = names }

    /// Reads bytes of the connection.
    ///
    /// - Parameter tell: called with each event.
    /// - Throws: ``HTTPLoadError`` for a refusal, for the end of the stream, and for bytes that cannot be read.
    public mutating func read(_ bytes: UnsafeRawBufferPointer, _ tell: (WebEvent) -> Void) throws(HTTPLoadError) {
        var place = 0
        while let piece = try reply.next(bytes, &place) {
            switch piece {
            case .head(200): break
            case .head(let status): throw .status(status)
            case .body(let part): try takeBody(part, tell)
            case .whole: throw .closed
            }
        }
    }

    private mutating func takeBody(_ part: UnsafeRawBufferPointer, _ tell: (WebEvent) -> Void) throws(HTTPLoadError) {
        var rest = part[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            line.append(contentsOf: rest[..<end])
            rest = rest[(end + 1)...]
            if let event = try takeLine() { tell(event) }
            line.removeAll(keepingCapacity: true)
        }
        line.append(contentsOf: rest)
        guard line.count <= Self.mostLine else { throw .brokenReply }
    }

    /// Takes a line. An empty one ends the event.
    private mutating func takeLine() throws(HTTPLoadError) -> WebEvent? {
        bytes += line.count + 1
        if line.isEmpty { return try finish() }
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        let value = line.dropFirst(name.count + 2)
        switch String(decoding: name, as: UTF8.self) {
        case "event": event = String(decoding: value, as: UTF8.self)
        case "id":
            // The revision is behind the last hyphen.
            let parts = value.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            rev = parts.count > 1 ? parts.last.flatMap { UInt64(String(decoding: $0, as: UTF8.self)) } : nil
        case "data" where event == "added": number = findNumber()
        case "retry" where !hasBegun:
            (hasBegun, bytes) = (true, 0)
            return .begun
        default: break
        }
        return nil
    }

    private mutating func finish() throws(HTTPLoadError) -> WebEvent? {
        defer { (event, rev, number, bytes) = ("", nil, nil, 0) }
        switch (event, rev) {
        case ("compacted", _), ("signed_out", _): throw .ended
        case ("beacon", let rev?): return .beacon(rev: rev)
        case ("added", let rev?), ("changed", let rev?), ("removed", let rev?), ("noted", let rev?),
            ("entered", let rev?), ("left", let rev?):
            return .change(rev: rev, number: number, bytes: bytes)
        default: return nil
        }
    }

    /// Finds the number in the first `"name":"…"`. It is the landmark's: in a text, quotes are escaped.
    private func findNumber() -> UInt64? {
        var rest = line[...]
        while let quote = rest.firstIndex(of: UInt8(ascii: "\"")) {
            rest = rest[quote...]
            if rest.starts(with: Self.nameField) {
                return names?.number(in: rest.dropFirst(Self.nameField.count).prefix { $0 != UInt8(ascii: "\"") })
            }
            rest = rest.dropFirst()
        }
        return nil
    }
}
