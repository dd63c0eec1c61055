// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// The form in which names are compared: small letters without accents, digits, and one space between words. "Saint"
/// and "St." are the same.
package enum PlaceKey {
    /// The maximum number of bytes in a key. A longer key is cut off, both in the file and in a search.
    static let longest = 120

    private static let apostrophes: Set<Unicode.Scalar> = [
        "'", "’", "‘", "`", "´", "\u{2bb}", "\u{2bc}", "\u{2b9}", "\u{2be}", "\u{2bf}",
    ]
    private static let short = ["saint": "st", "sankt": "st", "fort": "ft", "mount": "mt"]

    package static func of(_ text: String) -> String { words(text).joined(separator: " ") }

    static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        var count = 0
        func end() {
            guard !word.isEmpty else { return }
            let plain = String(word)
            words.append(short[plain] ?? plain)
            word = String.UnicodeScalarView()
        }
        for scalar in TextFolding.forSorting(text).unicodeScalars where !apostrophes.contains(scalar) {
            guard scalar.properties.isAlphabetic || scalar.properties.numericType != nil else {
                end()
                continue
            }
            count += UTF8.width(scalar)
            guard count <= longest / 2 else { break }
            word.append(scalar)
        }
        end()
        return words
    }

    /// Returns the key with a capital at the beginning of each word, as most names are written.
    package static func capitalised(_ key: some Sequence<UInt8>) -> String {
        var bytes: [UInt8] = []
        for byte in key {
            let begins = bytes.last.map { $0 == space } ?? true
            bytes.append(begins && (0x61...0x7a).contains(byte) ? byte - 0x20 : byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static let space = UInt8(ascii: " ")
}
