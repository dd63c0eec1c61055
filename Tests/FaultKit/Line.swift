// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A line of a history, as words. Millions are read, so that words become texts only when asked for.
struct Line {
    private let words: [ArraySlice<UInt8>]

    init(_ bytes: ArraySlice<UInt8>) { words = bytes.split(separator: 32, omittingEmptySubsequences: false) }

    var kind: UInt8 { words[0].first ?? 0 }

    func text(_ index: Int) -> String { index < words.count ? String(decoding: words[index], as: UTF8.self) : "" }

    /// Everything from a word on.
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

    /// All whole lines of a file.
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
