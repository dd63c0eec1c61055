// SPDX-License-Identifier: Apache-2.0

/// Makes all texts that are one typing mistake away: a letter too many, missing or wrong, or two letters exchanged.
enum OneEdit {
    /// The lengths of texts for which this is tried. Too many names are one mistake away from a shorter text, and a
    /// longer text has too many variants.
    static let lengths = 4...40

    private static let letters = Array("abcdefghijklmnopqrstuvwxyz ".utf8)

    static func texts(_ text: [UInt8], _ body: ([UInt8]) -> Void) {
        guard lengths.contains(text.count) else { return }
        for index in text.indices {
            var other = text
            other.remove(at: index)
            body(other)
            if index > 0, text[index] != text[index - 1] {
                other = text
                other.swapAt(index, index - 1)
                body(other)
            }
        }
        for letter in letters {
            for index in 0...text.count {
                var other = text
                other.insert(letter, at: index)
                body(other)
                guard index < text.count, text[index] != letter else { continue }
                other = text
                other[index] = letter
                body(other)
            }
        }
    }
}
