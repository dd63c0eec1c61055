// SPDX-License-Identifier: Apache-2.0

/// Decodes replies of RESP2, Redis's serialization protocol, from the bytes received so far.
struct RESPReader {
    enum Reply: Equatable {
        case text([UInt8])
        case number(Int)
        case refusal(String)
        case list([Reply])
        case none
    }

    /// Limits for one reply: a server that sends more, or deeper lists, is treated as broken.
    private static let most = 1 << 20
    private static let deepest = 6

    private var bytes: [UInt8] = []
    private var start = 0

    mutating func append(_ more: UnsafeRawBufferPointer) {
        if start > Self.most {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(contentsOf: more)
    }

    /// The next complete reply; nil if it has not arrived yet.
    mutating func next() throws -> Reply? {
        var place = start
        guard let reply = try read(&place, 0) else { return nil }
        start = place
        return reply
    }

    private func read(_ place: inout Int, _ depth: Int) throws -> Reply? {
        guard depth < Self.deepest else { throw TableError.unreadable("the server") }
        guard let line = try line(&place), let kind = line.first else { return nil }
        let rest = line.dropFirst()
        switch kind {
        case UInt8(ascii: "+"): return .text(Array(rest))
        case UInt8(ascii: "-"): return .refusal(String(decoding: rest, as: UTF8.self))
        case UInt8(ascii: ":"): return .number(try number(rest))
        case UInt8(ascii: "$"):
            let count = try number(rest)
            guard count >= 0 else { return Reply.none }
            guard bytes.count - place >= count + 2 else { return nil }
            defer { place += count + 2 }
            return .text(Array(bytes[place..<place + count]))
        case UInt8(ascii: "*"):
            var list: [Reply] = []
            for _ in 0..<max(0, try number(rest)) {
                guard let one = try read(&place, depth + 1) else { return nil }
                list.append(one)
            }
            return .list(list)
        default: throw TableError.unreadable("the server")
        }
    }

    private func number(_ text: ArraySlice<UInt8>) throws -> Int {
        guard let number = Int(String(decoding: text, as: UTF8.self)), number <= Self.most else {
            throw TableError.unreadable("the server")
        }
        return number
    }

    private func line(_ place: inout Int) throws -> ArraySlice<UInt8>? {
        guard let end = bytes[place...].firstIndex(of: UInt8(ascii: "\r")), end + 1 < bytes.count else {
            if bytes.count - place > Self.most { throw TableError.unreadable("the server") }
            return nil
        }
        defer { place = end + 2 }
        guard end > place else { throw TableError.unreadable("the server") }
        return bytes[place..<end]
    }
}
