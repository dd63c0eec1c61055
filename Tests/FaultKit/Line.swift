// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A line of a history, split into words. A word becomes a string only on demand, because millions of lines are read.
struct Line {
    private let words: [ArraySlice<UInt8>]

    init(_ bytes: ArraySlice<UInt8>) { words = bytes.split(separator: 32, omittingEmptySubsequences: false) }

    var kind: UInt8 { words[0].first ?? 0 }

    func text(_ index: Int) -> String { index < words.count ? String(decoding: words[index], as: UTF8.self) : "" }

    /// The text of the line from a word on.
    func rest(_ index: Int) -> String {
        index < words.count ? words[index...].map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ") : ""
    }

    func number(_ index: Int) -> UInt64? {
        guard index < words.count, !words[index].isEmpty, words[index].count < 21 else { return nil }
        var value: UInt64 = 0
        for byte in words[index] {
            guard byte >= 48, byte <= 57 else { return nil }
            value = value &* 10 &+ UInt64(byte - 48)
        }
        return value
    }

    /// Calls `body` with each complete line of a file.
    static func each(of path: String, _ body: (Line) throws -> Void) throws {
        guard let data = FileManager.default.contents(atPath: path) else { throw FaultError("\(path) cannot be read") }
        let bytes = [UInt8](data)
        var start = 0
        while let end = bytes[start...].firstIndex(of: 10) {
            if end > start { try body(Line(bytes[start..<end])) }
            start = end + 1
        }
    }
}
