// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkProtocol

/// The words of a search text.
package struct SearchText: Hashable, Sendable {
    /// The most words that are used. More would only cost time.
    static let maxWords = 16

    /// Words, folded in the same way as the searched texts.
    let words: [String]

    /// - Throws: ``InvalidInput`` when the text is too long or holds no word.
    package init(_ text: String) throws(InvalidInput) {
        guard text.utf8.count <= WaymarkProtocol.searchCharacters * LandmarkRules.bytesPerCharacter,
            text.count <= WaymarkProtocol.searchCharacters
        else { throw .outOfRange("text to search for", "at most \(WaymarkProtocol.searchCharacters) characters") }
        var words: [String] = []
        for part in TextFolding.withoutAccents(text).unicodeScalars.split(whereSeparator: { !Self.isWordPart($0) }) {
            let word = String(String.UnicodeScalarView(part))
            if !words.contains(word) { words.append(word) }
        }
        guard !words.isEmpty else { throw .missing("a word to search for: letters or digits") }
        self.words = Array(words.prefix(Self.maxWords))
    }

    /// Whether SQLite's `unicode61` takes the scalar as part of a word: letters, digits, private use, and marks, which
    /// belong to the letter before.
    private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber, .privateUse,
            .nonspacingMark, .spacingMark, .enclosingMark:
            true
        default: false
        }
    }
}
