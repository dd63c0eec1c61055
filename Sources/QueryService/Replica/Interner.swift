// SPDX-License-Identifier: Apache-2.0

/// Gives each distinct text a small number, so that a filter compares numbers. The empty text is 0.
struct Interner {
    private var numbers: [String: UInt32] = ["": 0]
    private(set) var texts: [String] = [""]

    mutating func number(of text: String) -> UInt32 {
        // Consecutive landmarks often have the same text: a whole source, or no user.
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

    /// The number of a text; nil if no landmark has ever had it.
    func existing(_ text: String) -> UInt32? { numbers[text] }
}
