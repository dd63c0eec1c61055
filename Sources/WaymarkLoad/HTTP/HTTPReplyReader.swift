// SPDX-License-Identifier: Apache-2.0

/// Reads the answers of one connection of HTTP/1.1 (RFC 9112), one after another, as their bytes come. A body needs a
/// `Content-Length`, or comes in chunks.
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
    private static let (length, encoding) = (Array("content-length:".utf8), Array("transfer-encoding:".utf8))
    private static let (connection, close) = (Array("connection:".utf8), Array("close".utf8))
    private static let chunked = Array("chunked".utf8)

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
        case .fields:
            if line.isEmpty { return try endHead() }
            try takeField()
        case .size:
            left = try chunkSize()
            state = left > 0 ? .chunk : .trailer
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
        if let value = value(of: Self.length) {
            guard length == nil, let count = Self.number(value), count <= mostBody ?? .max else { throw .brokenReply }
            length = count
        } else if let value = value(of: Self.encoding) {
            guard !isChunked, Self.matches(value, Self.chunked) else { throw .brokenReply }
            isChunked = true
        } else if let value = value(of: Self.connection), Self.matches(value, Self.close) {
            reply.isLast = true
        }
    }

    private mutating func endHead() throws(HTTPLoadError) -> Bool {
        guard isChunked == (length == nil) else { throw .brokenReply }
        left = length ?? 0
        state = isChunked ? .size : left > 0 ? .body : .done
        return true
    }

    /// Reads a size of up to eight hexadecimal digits. An extension may follow, and says nothing here.
    private mutating func chunkSize() throws(HTTPLoadError) -> Int {
        let digits = line.prefix { Self.hexadecimal($0) != nil }
        let next = line.dropFirst(digits.count).first ?? UInt8(ascii: ";")
        guard (1...8).contains(digits.count), next == UInt8(ascii: ";") || next == UInt8(ascii: " ") else {
            throw .brokenReply
        }
        let size = digits.reduce(0) { $0 << 4 | (Self.hexadecimal($1) ?? 0) }
        if let mostBody {
            guard size <= mostBody - chunks else { throw .brokenReply }
            chunks += size
        }
        return size
    }

    /// Returns the value of a header in the line, without blanks around it; nil if the line has another header.
    ///
    /// - Parameter name: the name in lower case, with its colon.
    private func value(of name: [UInt8]) -> ArraySlice<UInt8>? {
        guard line.count >= name.count, Self.matches(line.prefix(name.count), name) else { return nil }
        var value = line.dropFirst(name.count)
        while let first = value.first, first == 32 || first == 9 { value.removeFirst() }
        while let last = value.last, last == 32 || last == 9 { value.removeLast() }
        return value
    }

    /// - Parameter word: the word in lower case.
    private static func matches(_ text: ArraySlice<UInt8>, _ word: [UInt8]) -> Bool {
        text.count == word.count
            && zip(text, word).allSatisfy { $0 == $1 || (65...90).contains($0) && $0 | 0x20 == $1 }
    }

    /// Reads up to nine digits.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard (1...9).contains(digits.count), digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    }

    private static func hexadecimal(_ digit: UInt8) -> Int? {
        switch digit {
        case 48...57: Int(digit - 48)
        case 65...70, 97...102: Int(digit | 0x20) - 87
        default: nil
        }
    }
}
