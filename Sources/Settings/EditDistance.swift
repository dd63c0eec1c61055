// SPDX-License-Identifier: Apache-2.0

/// The edit distance of two words: how many letters must be changed, inserted or removed to make one word of the other.
public enum EditDistance {
    public static func between(_ left: String, _ right: String) -> Int {
        let left = Array(left.utf8.prefix(200))
        let right = Array(right.utf8.prefix(200))
        var row = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in right.enumerated() {
                let substituted = diagonal + (a == b ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substituted, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[right.count]
    }

    /// Returns the known word of which `word` is most likely a misspelling; nil if none is close enough.
    public static func nearest(to word: String, in known: some Sequence<String>) -> String? {
        let ranked = known.map { (word: $0, distance: between($0, word)) }
        guard let best = ranked.min(by: { ($0.distance, $0.word) < ($1.distance, $1.word) }),
            best.distance < word.utf8.count, best.distance <= max(2, min(word.utf8.count, 200) / 3)
        else { return nil }
        return best.word
    }
}
