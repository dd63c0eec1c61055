// SPDX-License-Identifier: Apache-2.0

// Foundation decomposes text as well, but its ICU data would add 34 MB to every program. The standard library keeps its
// own decomposition, which string comparison uses, behind this name.
@_spi(_Unicode) import Swift

/// The spellings that count as the same text in search and in sorting: accents (U+0300 to U+036F, those of Latin, Greek
/// and Cyrillic) are ignored.
public enum TextFolding {
    /// The letters that Unicode does not decompose, each with its usual spelling on a keyboard that lacks it.
    private static let letters: [Unicode.Scalar: String] = [
        "ß": "ss", "ẞ": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ø": "o", "Ø": "o", "ł": "l", "Ł": "l",
        "đ": "d", "Đ": "d", "ð": "d", "Ð": "d", "ħ": "h", "Ħ": "h", "þ": "th", "Þ": "th", "ı": "i",
    ]
    private static let accents: ClosedRange<Unicode.Scalar> = "\u{300}"..."\u{36f}"
    /// ASCII in the width of a Chinese character.
    static let wide: ClosedRange<Unicode.Scalar> = "\u{ff01}"..."\u{ff5e}"

    /// The text decomposed (Unicode's NFD), without accents.
    public static func withoutAccents(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var folded = String.UnicodeScalarView()
        for scalar in text._nfd where !accents.contains(scalar) {
            if let plain = letters[scalar] {
                folded.append(contentsOf: plain.unicodeScalars)
            } else {
                folded.append(scalar)
            }
        }
        return String(folded)
    }

    /// The text as used for sorting: without accents, in small letters, and ASCII in one width. The same on every
    /// machine.
    public static func forSorting(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        var folded = String.UnicodeScalarView()
        for scalar in withoutAccents(text).unicodeScalars {
            let narrow = wide.contains(scalar) ? Unicode.Scalar(scalar.value - 0xfee0) ?? scalar : scalar
            folded.append(contentsOf: narrow.properties.lowercaseMapping.unicodeScalars)
        }
        return String(folded)
    }
}
