// SPDX-License-Identifier: Apache-2.0

// Foundation can decompose text too, but its ICU data would add 34 MB to every program. The standard library has a
// decomposition of its own for comparing strings, which this SPI gives access to.
@_spi(_Unicode) import Swift

/// Decides which spellings count as the same text in search and in sorting. Accents (U+0300 to U+036F, those of Latin,
/// Greek and Cyrillic) are ignored.
public enum TextFolding {
    /// Letters that Unicode does not decompose, each with the spelling that is usual on a keyboard without the letter.
    private static let letters: [Unicode.Scalar: String] = [
        "ß": "ss", "ẞ": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ø": "o", "Ø": "o", "ł": "l", "Ł": "l",
        "đ": "d", "Đ": "d", "ð": "d", "Ð": "d", "ħ": "h", "Ħ": "h", "þ": "th", "Þ": "th", "ı": "i",
    ]
    private static let accents: ClosedRange<Unicode.Scalar> = "\u{300}"..."\u{36f}"
    /// The full-width forms of ASCII.
    static let wide: ClosedRange<Unicode.Scalar> = "\u{ff01}"..."\u{ff5e}"

    /// Returns the text decomposed (Unicode's NFD), without accents.
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

    /// Returns the text by which it is sorted: without accents, in lower case, and with full-width ASCII as plain
    /// ASCII. The result is the same on every machine.
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
