// SPDX-License-Identifier: Apache-2.0

/// Reads the answers of one connection of HTTP/1.1 (RFC 9112) as they come, by their `Content-Length` or in chunks.
public struct HTTPReplyReader: Sendable {
    public struct Reply: Hashable, Sendable {
        public var status: Int
        /// The number of bytes of the head and of the body, as they were sent.
        public var bytes: Int
        /// Whether the server closes the connection after this answer.
        public var isLast: Bool
    }

    public enum Piece {
        /// The head has ended, with this status.
        case head(Int)
        /// A part of the body, which is valid as long as the received bytes are.
        case body(UnsafeRawBufferPointer)
        case whole(Reply)
    }

    private enum State { case status, fields, body, size, chunk, chunkEnd, trailer, done }

    /// The maximum size of a head, of a trailer, and of a line with the size of a chunk.
    private static let mostHead = 16_384
    private static let version = Array("HTTP/1.1 ".utf8)

    private let mostBody: Int?
    private var state = State.status
    private var reply = Reply(status: 0, bytes: 0, isLast: false)
    /// The length of the body, as the head says it.
    private var length: Int?
    private var isChunked = false
    /// The number of bytes that the body or the chunk still lacks.
    private var left = 0
    /// The size of all chunks so far; not counted without a limit.
    private var chunks = 0
    /// The size of the head and of the trailer so far.
    private var headBytes = 0
    /// The line that has not ended yet.
    private var line: [UInt8] = []

    /// - Parameter mostBody: the maximum size of a body in bytes; nil for a body that never ends.
    public init(mostBody: Int? = 4 << 20) { self.mostBody = mostBody }

    /// Returns the next piece in the received bytes; nil when all of them are read.
    ///
    /// - Parameter place: the offset of the first byte that is not read yet; 0 for new bytes.
    /// - Throws: ``HTTPLoadError/brokenReply``, also if bytes follow a whole answer: a connection has one request under
    ///   way, so nothing can follow.
    public mutating func next(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) throws(HTTPLoadError) -> Piece? {
        while state != .done {
            guard place < bytes.count else { return nil }
            let rest = UnsafeRawBufferPointer(rebasing: bytes[place...])
            if state == .body || state == .chunk {
                let part = UnsafeRawBufferPointer(rebasing: rest.prefix(left))
                advance(part.count, &place)
                left -= part.count
                if left == 0 { state = state == .body ? .done : .chunkEnd }
                return .body(part)
            }
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            line.append(contentsOf: rest.prefix(end ?? rest.count))
            advance(end.map { $0 + 1 } ?? rest.count, &place)
            guard line.count <= Self.mostHead else { throw .brokenReply }
            guard end != nil else { return nil }
            guard line.popLast() == UInt8(ascii: "\r") else { throw .brokenReply }
            let isHeadEnd = try takeLine()
            line.removeAll(keepingCapacity: true)
            if isHeadEnd { return .head(reply.status) }
        }
        guard place == bytes.count else { throw .brokenReply }
        let (whole, empty) = (reply, line)
        self = HTTPReplyReader(mostBody: mostBody)
        line = empty
        return .whole(whole)
    }

    private mutating func advance(_ count: Int, _ place: inout Int) {
        place += count
        reply.bytes += count
    }

    /// - Returns: whether the line has ended the head.
    private mutating func takeLine() throws(HTTPLoadError) -> Bool {
        switch state {
        case .status:
            let digits = line.dropFirst(Self.version.count).prefix(3)
            // No answer precedes another: nobody asked for one (1xx).
            guard line.starts(with: Self.version), digits.count == 3, let code = Self.number(digits), code >= 200 else {
                throw .brokenReply
            }
            (reply.status, state) = (code, .fields)
        case .fields where line.isEmpty:
            guard isChunked == (length == nil) else { throw .brokenReply }
            left = length ?? 0
            state = isChunked ? .size : left > 0 ? .body : .done
            return true
        case .fields: try takeField()
        case .size:
            // An extension may follow, and says nothing here.
            let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
            guard let size = Self.number(digits, radix: 16), size <= (mostBody ?? .max) - chunks else {
                throw .brokenReply
            }
            if mostBody != nil { chunks += size }
            (left, state) = (size, size > 0 ? .chunk : .trailer)
        case .chunkEnd:
            guard line.isEmpty else { throw .brokenReply }
            state = .size
        case .trailer:
            if line.isEmpty { state = .done }
        case .body, .chunk, .done: break
        }
        if state == .fields || state == .trailer {
            headBytes += line.count + 2
            guard headBytes <= Self.mostHead else { throw .brokenReply }
        }
        return false
    }

    private mutating func takeField() throws(HTTPLoadError) {
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        // The value, if it is one word.
        var value: ArraySlice<UInt8> {
            let words = line.dropFirst(name.count + 1).split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            return words.count == 1 ? words[0] : []
        }
        switch Self.lowercased(name) {
        case "content-length":
            guard length == nil, let count = Self.number(value), count <= mostBody ?? .max else { throw .brokenReply }
            length = count
        case "transfer-encoding":
            guard !isChunked, Self.lowercased(value) == "chunked" else { throw .brokenReply }
            isChunked = true
        case "connection": reply.isLast = Self.lowercased(value) == "close"
        default: break
        }
    }

    private static func lowercased(_ text: ArraySlice<UInt8>) -> String {
        String(decoding: text, as: UTF8.self).lowercased()
    }

    /// Reads up to nine digits without a sign.
    private static func number(_ digits: ArraySlice<UInt8>, radix: Int = 10) -> Int? {
        guard digits.count <= 9, let first = digits.first, first >= UInt8(ascii: "0") else { return nil }
        return Int(String(decoding: digits, as: UTF8.self), radix: radix)
    }
}
