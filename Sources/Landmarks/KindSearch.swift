// SPDX-License-Identifier: Apache-2.0

/// Finds kinds of the table of known kinds while a person types.
public enum KindSearch {
    /// The minimum length of words that are corrected. With one edit, a shorter word would match nearly everything.
    private static let shortestCorrected = 5

    /// Returns the kinds that match each word of the text by a word of their label or synonyms. First come kinds with
    /// words that begin with the text's words. Then come kinds with words that differ by one letter added, left out,
    /// changed or exchanged with its neighbour. Each group is sorted by label. A text without words matches all kinds.
    public static func kinds(_ text: String) -> [KnownKind] {
        let typed = KnownKind.words(text.replacing("_", with: " "))
        var (begin, nearly): ([KnownKind], [KnownKind]) = ([], [])
        for kind in KnownKind.all {
            if typed.allSatisfy({ word in kind.words.contains { $0.hasPrefix(word) } }) {
                begin.append(kind)
            } else if typed.allSatisfy({ word in kind.words.contains { isNearly(word, $0) } }) {
                nearly.append(kind)
            }
        }
        let byLabel: (KnownKind, KnownKind) -> Bool = {
            TextFolding.forSorting($0.label) < TextFolding.forSorting($1.label)
        }
        return begin.sorted(by: byLabel) + nearly.sorted(by: byLabel)
    }

    private static func isNearly(_ typed: String, _ word: String) -> Bool {
        if word.hasPrefix(typed) { return true }
        guard typed.count >= shortestCorrected else { return false }
        return isPrefixWithOneEdit(Array(typed), Array(word))
    }

    private static func isPrefixWithOneEdit(_ typed: [Character], _ word: [Character]) -> Bool {
        let same = zip(typed, word).prefix { $0 == $1 }.count
        let (rest, left) = (typed[same...], word[same...])
        guard let letter = rest.first else { return true }
        let isOneTooMany = left.starts(with: rest.dropFirst())
        let isOneMissing = left.dropFirst().starts(with: rest)
        let isOneChanged = !left.isEmpty && left.dropFirst().starts(with: rest.dropFirst())
        let areExchanged =
            rest.count > 1 && left.count > 1 && letter == left[same + 1] && rest[same + 1] == left[same]
            && left.dropFirst(2).starts(with: rest.dropFirst(2))
        return isOneTooMany || isOneMissing || isOneChanged || areExchanged
    }
}
