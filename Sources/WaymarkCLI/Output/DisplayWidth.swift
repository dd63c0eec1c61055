// SPDX-License-Identifier: Apache-2.0

/// Computes how many columns of a terminal a text takes.
enum DisplayWidth {
    static func of(_ text: String) -> Int {
        // Most texts are plain ASCII, for which the number of bytes is the width.
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        let isEmoji = scalars.first?.properties.isEmojiPresentation == true || scalars.contains("\u{fe0f}")
        if scalars.count > 1, isEmoji { return 2 }
        return scalars.reduce(0) { $0 + of($1) }
    }

    /// Returns the text if it fits; otherwise as much of its beginning as fits with `…` at the end.
    static func cut(_ text: String, to width: Int) -> String {
        guard of(text) > width, width > 0 else { return text }
        var cut = ""
        var used = 0
        for character in text {
            let next = of(character)
            if used + next > width - 1 { break }
            cut.append(character)
            used += next
        }
        return cut + "…"
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .control, .surrogate: return 0
        // The soft hyphen is the only format character that terminals show.
        case .format: return scalar.value == 0xad ? 1 : 0
        default: break
        }
        // Vowels and final consonants of Hangul are drawn inside the preceding syllable.
        if (0x1160...0x11ff).contains(scalar.value) { return 0 }
        return isWide(scalar) ? 2 : 1
    }

    /// Whether the character takes two columns: East Asian Width W and F (Unicode Standard Annex 11), by blocks.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x1100: false
        case 0x1100...0x115f, 0x2329...0x232a, 0x2e80...0x303e, 0x3041...0x33ff, 0x3400...0x4dbf, 0x4e00...0x9fff,
            0xa000...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe10...0xfe19, 0xfe30...0xfe6f,
            0xff00...0xff60, 0xffe0...0xffe6, 0x16fe0...0x18cff, 0x1aff0...0x1b2ff, 0x1f200...0x1f2ff,
            0x20000...0x2fffd, 0x30000...0x3fffd:
            true
        default: scalar.properties.isEmojiPresentation
        }
    }
}
