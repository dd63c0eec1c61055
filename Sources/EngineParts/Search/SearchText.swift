// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkProtocol

/// The words of a search text.
package struct SearchText: Hashable, Sendable {
    /// The maximum number of words that are used. More words would only cost time.
    static let maxWords = 16

    /// The words, folded in the same way as the texts in the index.
    let words: [String]

    /// - Throws: ``InvalidInput`` if the text is too long or contains no word.
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

    /// Whether SQLite's tokenizer `unicode61` takes the scalar as part of a word. It takes letters, digits, private use
    /// characters, and marks, which belong to the letter before them.
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
