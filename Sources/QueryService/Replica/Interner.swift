// SPDX-License-Identifier: Apache-2.0

/// Gives each distinct text a small number, so that a filter compares numbers. 0 is the empty text.
struct Interner {
    private var numbers: [String: UInt32] = ["": 0]
    private(set) var texts: [String] = [""]

    mutating func number(of text: String) -> UInt32 {
        // Neighbours are often alike: a whole source, or nobody's.
        if text == latest.text { return latest.number }
        let number = lookUp(text)
        latest = (text, number)
        return number
    }

    private var latest: (text: String, number: UInt32) = ("", 0)

    private mutating func lookUp(_ text: String) -> UInt32 {
        if let known = numbers[text] { return known }
        let number = UInt32(texts.count)
        numbers[text] = number
        texts.append(text)
        return number
    }

    /// Nil for a text that no landmark has ever had.
    func existing(_ text: String) -> UInt32? { numbers[text] }
}
