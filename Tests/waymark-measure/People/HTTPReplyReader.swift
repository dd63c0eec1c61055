// SPDX-License-Identifier: Apache-2.0

/// Reads the answers of one connection of HTTP/1.1, one after another. A body needs a `Content-Length`.
struct HTTPReplyReader {
    struct Reply: Hashable {
        var status: Int
        /// Of the head and the body.
        var bytes: Int
    }

    private static let mostHead = 16_384
    private static let mostBody = 4 << 20
    private static let version = Array("HTTP/1.1 ".utf8)
    private static let length = Array("content-length:".utf8)
    private static let encoding = Array("transfer-encoding:".utf8)

    private var bytes: [UInt8] = []
    /// What the head said, once it was read.
    private var head: Reply?

    mutating func append(_ part: UnsafeRawBufferPointer) { bytes.append(contentsOf: part) }

    /// The answer, when it is whole.
    ///
    /// - Throws: ``HTTPLoadError/brokenReply`` for anything but one whole answer, also when bytes follow it.
    mutating func next() throws(HTTPLoadError) -> Reply? {
        if head == nil {
            let read = bytes.withUnsafeBytes { bytes in
                Result { () throws(HTTPLoadError) in try Self.head(bytes) }
            }
            head = try read.get()
        }
        guard let reply = head else {
            guard bytes.count <= Self.mostHead else { throw .brokenReply }
            return nil
        }
        // Each connection has one request under way, so nothing can follow.
        guard bytes.count <= reply.bytes else { throw .brokenReply }
        guard bytes.count == reply.bytes else { return nil }
        bytes.removeAll(keepingCapacity: true)
        head = nil
        return reply
    }

    /// Nil while the end of the head has not come.
    private static func head(_ bytes: UnsafeRawBufferPointer) throws(HTTPLoadError) -> Reply? {
        var (start, status, body) = (0, Int?.none, Int?.none)
        for place in bytes.indices where bytes[place] == UInt8(ascii: "\n") {
            guard place > start, bytes[place - 1] == UInt8(ascii: "\r"), place < mostHead else { throw .brokenReply }
            let line = UnsafeRawBufferPointer(rebasing: bytes[start..<place - 1])
            start = place + 1
            if status == nil {
                guard begins(line, version), line.count >= version.count + 3,
                    let code = number(line[version.count..<version.count + 3])
                else { throw .brokenReply }
                status = code
            } else if line.isEmpty {
                guard let status, let body else { throw .brokenReply }
                return Reply(status: status, bytes: start + body)
            } else if begins(line, length) {
                guard body == nil, let count = number(line[length.count...]), count <= mostBody else {
                    throw .brokenReply
                }
                body = count
            } else if begins(line, encoding) {
                throw .brokenReply
            }
        }
        return nil
    }

    /// - Parameter word: in lower case, except that the version has to agree exactly.
    private static func begins(_ line: UnsafeRawBufferPointer, _ word: [UInt8]) -> Bool {
        guard line.count >= word.count else { return false }
        return word.indices.allSatisfy { place in
            let letter = line[place]
            return letter == word[place] || (65...90).contains(letter) && letter | 0x20 == word[place]
        }
    }

    /// Up to nine digits with blanks around them.
    private static func number(_ text: Slice<UnsafeRawBufferPointer>) -> Int? {
        let digits = text.drop { $0 == 32 }.prefix { $0 != 32 }
        guard (1...9).contains(digits.count), digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    }
}

/// Why a load over HTTP ended early.
enum HTTPLoadError: Error, CustomStringConvertible {
    case cannotConnect, closed, brokenReply, noAnswer

    var description: String {
        switch self {
        case .cannotConnect: "Nothing listens at the web listener's port."
        case .closed: "The web listener closed a connection."
        case .brokenReply: "An answer over HTTP cannot be read."
        case .noAnswer: "No answer over HTTP came for half a minute."
        }
    }
}
