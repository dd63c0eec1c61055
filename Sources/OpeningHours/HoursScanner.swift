// SPDX-License-Identifier: Apache-2.0

/// Takes words, numbers and signs from the text of opening hours. White space counts only between words.
struct HoursScanner {
    private let text: [Character]
    private(set) var place = 0

    init(_ text: String) {
        self.text = text.map { character in
            switch character {
            // As typed with a word processor.
            case "–", "—", "−", "‐", "‑": "-"
            case "“", "”", "„": "\""
            case "：": ":"
            default: character
            }
        }
        skipSpace()
    }

    var isAtEnd: Bool { place == text.count }

    /// For errors.
    var rest: String { String(text[place...].prefix(20)) }

    private mutating func skipSpace() {
        while place < text.count, text[place].isWhitespace { place += 1 }
    }

    func next(_ offset: Int = 0) -> Character? { place + offset < text.count ? text[place + offset] : nil }

    mutating func take(_ sign: String) -> Bool {
        guard text[place...].starts(with: sign) else { return false }
        place += sign.count
        skipSpace()
        return true
    }

    /// Runs `body`; goes back if it returns nil.
    mutating func attempt<Value>(_ body: (inout HoursScanner) -> Value?) -> Value? {
        var copy = self
        guard let value = body(&copy) else { return nil }
        self = copy
        return value
    }

    /// The letters that come next, in lower case.
    var word: String { String(text[place...].prefix { $0.isLetter }).lowercased() }

    mutating func takeWord() -> String {
        let word = word
        place += text[place...].prefix { $0.isLetter }.count
        // An abbreviation's full stop.
        if !word.isEmpty, next() == "." { place += 1 }
        skipSpace()
        return word
    }

    mutating func takeWord(_ words: String...) -> Bool {
        guard words.contains(word) else { return false }
        _ = takeWord()
        return true
    }

    /// The number of digits that come next.
    var digits: Int { text[place...].prefix { $0.isASCII && $0.isNumber }.count }

    /// A number of so many digits.
    mutating func takeNumber(_ allowed: ClosedRange<Int> = 1...2) -> Int? {
        let count = digits
        guard allowed.contains(count), let number = Int(String(text[place..<place + count])) else { return nil }
        place += count
        skipSpace()
        return number
    }

    /// A text in quotation marks.
    mutating func takeComment() -> String? {
        guard next() == "\"", let end = text[(place + 1)...].firstIndex(of: "\"") else { return nil }
        let comment = String(text[place + 1..<end])
        place = end + 1
        skipSpace()
        return comment
    }
}
