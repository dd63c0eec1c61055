// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What makes two spellings the same word to a search: accents do not count, in any script.
///
/// SQLite's `unicode61` folds case in all scripts, but accents in Latin only. So both what is searched and what is
/// searched for go through this first.
enum SearchFolding {
    /// The letters that Unicode does not take apart, as a keyboard without them writes them.
    private static let letters: [Unicode.Scalar: String] = [
        "ß": "ss", "ẞ": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ø": "o", "Ø": "o", "ł": "l", "Ł": "l",
        "đ": "d", "Đ": "d", "ð": "d", "Ð": "d", "ħ": "h", "Ħ": "h", "þ": "th", "Þ": "th", "ı": "i",
    ]
    private static let accents: ClosedRange<Unicode.Scalar> = "\u{300}"..."\u{36f}"

    static func folded(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var folded = String.UnicodeScalarView()
        for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars where !accents.contains(scalar) {
            if let plain = letters[scalar] {
                folded.append(contentsOf: plain.unicodeScalars)
            } else {
                folded.append(scalar)
            }
        }
        return String(folded)
    }
}
