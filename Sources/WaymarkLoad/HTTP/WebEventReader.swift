// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads the server-sent events of `/v1/changes`, as the bytes of the body come.
struct WebEventReader: Sendable {
    private enum Kind { case added, change, beacon, end, other }

    /// The maximum size of a line in bytes.
    private static let mostLine = 1 << 20
    private static let (event, id, data) = (Array("event: ".utf8), Array("id: ".utf8), Array("data: ".utf8))
    private static let (retry, nameField) = (Array("retry: ".utf8), Array("\"name\":\"".utf8))
    private static let kinds: [[UInt8]: Kind] = {
        let words: [(String, Kind)] = [
            ("added", .added), ("changed", .change), ("removed", .change), ("noted", .change), ("entered", .change),
            ("left", .change), ("beacon", .beacon), ("compacted", .end), ("signed_out", .end),
        ]
        return Dictionary(uniqueKeysWithValues: words.map { (Array($0.0.utf8), $0.1) })
    }()

    /// The names of the landmarks whose numbers are read; nil if none are.
    private let names: WrittenNames?
    /// The line that has not ended yet.
    private var line: [UInt8] = []
    private var hasBegun = false
    private var kind = Kind.other
    private var rev: UInt64?
    private var number: UInt64?
    private var bytes = 0

    init(_ names: WrittenNames?) { self.names = names }

    /// Returns the next event in the bytes; nil when all of them are read.
    ///
    /// - Parameter place: the offset of the first byte that is not read yet; 0 for new bytes.
    /// - Throws: ``HTTPLoadError/brokenReply`` for a line without an end.
    mutating func next(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) throws(HTTPLoadError) -> WebEvent? {
        while place < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[place...])
            guard let start = rest.baseAddress, let end = memchr(start, 10, rest.count) else {
                guard line.count + rest.count <= Self.mostLine else { throw .brokenReply }
                line.append(contentsOf: rest)
                place = bytes.count
                return nil
            }
            let part = UnsafeRawBufferPointer(start: start, count: start.distance(to: UnsafeRawPointer(end)))
            place += part.count + 1
            var event: WebEvent?
            if line.isEmpty {
                event = take(part)
            } else {
                let whole = line + part
                line = []
                event = whole.withUnsafeBytes { take($0) }
            }
            if let event { return event }
        }
        return nil
    }

    /// Takes a line without its end. An empty one ends the event.
    private mutating func take(_ ended: UnsafeRawBufferPointer) -> WebEvent? {
        bytes += ended.count + 1
        let isReturned = ended.last == UInt8(ascii: "\r")
        let line = UnsafeRawBufferPointer(rebasing: isReturned ? ended.dropLast() : ended[...])
        if line.isEmpty { return finish() }
        if line.starts(with: Self.event) {
            kind = Self.kinds[Array(line.dropFirst(Self.event.count))] ?? .other
        } else if line.starts(with: Self.id) {
            rev = Self.revision(line)
        } else if line.starts(with: Self.data), kind == .added {
            number = names.flatMap { Self.number(line, $0) }
        } else if !hasBegun, line.starts(with: Self.retry) {
            (hasBegun, bytes) = (true, 0)
            return .begun
        }
        return nil
    }

    private mutating func finish() -> WebEvent? {
        defer { (kind, rev, number, bytes) = (.other, nil, nil, 0) }
        switch (kind, rev) {
        case (.end, _): return .ended
        case (.beacon, let rev?): return .beacon(rev: rev)
        case (.added, let rev?), (.change, let rev?):
            return .change(WebEvent.Change(rev: rev, number: number, bytes: bytes))
        default: return nil
        }
    }

    /// Reads the revision at the end of an id: up to 18 digits after the last hyphen.
    private static func revision(_ line: UnsafeRawBufferPointer) -> UInt64? {
        guard let hyphen = line.lastIndex(of: UInt8(ascii: "-")) else { return nil }
        let digits = line[(hyphen + 1)...]
        guard (1...18).contains(digits.count), digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + UInt64($1 - 48) }
    }

    /// Finds the number in the first `"name":"…"`. It is the landmark's: in a text, quotes are escaped.
    private static func number(_ line: UnsafeRawBufferPointer, _ names: WrittenNames) -> UInt64? {
        var rest = line[...]
        while let quote = rest.firstIndex(of: UInt8(ascii: "\"")) {
            rest = rest[quote...]
            if rest.starts(with: nameField) {
                let text = rest.dropFirst(nameField.count)
                guard let end = text.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
                return names.number(in: UnsafeRawBufferPointer(rebasing: text[..<end]))
            }
            rest = rest.dropFirst()
        }
        return nil
    }
}

/// An event of `/v1/changes`.
public enum WebEvent: Hashable, Sendable {
    public struct Change: Hashable, Sendable {
        public var rev: UInt64
        /// The number of the write that added the landmark; nil if this test did not.
        public var number: UInt64?
        /// The size of the event.
        public var bytes: Int
    }

    /// The first line has come.
    case begun
    case beacon(rev: UInt64)
    case change(Change)
    /// Nothing more will come: the service ends the stream.
    case ended
}
