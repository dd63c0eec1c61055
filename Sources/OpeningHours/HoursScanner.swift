// SPDX-License-Identifier: Apache-2.0

/// Reads words, numbers and signs from the text of opening hours or of a time zone's rule. White space matters only
/// between words. The scanner works on bytes, because everything except comments is ASCII.
struct HoursScanner {
    private let text: [UInt8]
    /// The text with ASCII letters in lower case.
    private let lower: [UInt8]
    private(set) var place = 0

    init(_ text: String) {
        self.text = text.utf8.allSatisfy { $0 < 0x80 } ? Array(text.utf8) : Array(Self.plain(text).utf8)
        lower = self.text.map { 0x41...0x5a ~= $0 ? $0 | 0x20 : $0 }
        skipSpace()
    }

    /// Replaces the signs that word processors type by ASCII signs.
    private static func plain(_ text: String) -> String {
        String(
            text.map { character -> Character in
                switch character {
                case "–", "—", "−", "‐", "‑": "-"
                case "“", "”", "„": "\""
                case "：": ":"
                default: character.isWhitespace ? " " : character
                }
            })
    }

    var isAtEnd: Bool { place == text.count }

    /// The beginning of the remaining text, for error messages.
    var rest: String { String(String(decoding: text[place...].prefix(80), as: UTF8.self).prefix(20)) }

    private mutating func skipSpace() {
        while place < text.count, text[place] == 0x20 || 9...13 ~= text[place] { place += 1 }
    }

    /// Returns the next character in lower case; nil at the end.
    func next() -> Character? { isAtEnd ? nil : Character(Unicode.Scalar(lower[place])) }

    private func isLetter(_ place: Int) -> Bool { place < lower.count && 0x61...0x7a ~= lower[place] }

    private func isDigit(_ place: Int) -> Bool { place < lower.count && 0x30...0x39 ~= lower[place] }

    var isAtLetter: Bool { isLetter(place) }

    /// Whether a digit comes after the next byte.
    var isBeforeDigit: Bool { isDigit(place + 1) }

    /// - Parameter sign: the text to consume, in ASCII and lower case.
    mutating func take(_ sign: String) -> Bool {
        guard lower[place...].starts(with: sign.utf8) else { return false }
        place += sign.utf8.count
        skipSpace()
        return true
    }

    /// Runs `body`. If it returns nil, resets the scanner to where it was before.
    mutating func attempt<Value>(_ body: (inout HoursScanner) -> Value?) -> Value? {
        let start = place
        let value = body(&self)
        if value == nil { place = start }
        return value
    }

    /// Consumes a dash and runs `body`. If there is no dash or `body` returns nil, resets the scanner.
    mutating func afterDash<Value>(_ body: (inout HoursScanner) -> Value?) -> Value? {
        attempt { scanner in scanner.take("-") ? body(&scanner) : nil }
    }

    /// Returns the values that `body` reads, as long as a comma and another value follow.
    ///
    /// - Parameter isContinued: whether the first value, too, must follow a comma.
    mutating func list<Value>(isContinued: Bool = false, _ body: (inout HoursScanner) -> Value?) -> [Value] {
        var values: [Value] = []
        while let value = attempt({ scanner in
            values.isEmpty && !isContinued || scanner.take(",") ? body(&scanner) : nil
        }) {
            values.append(value)
        }
        return values
    }

    /// Reads a sign, and returns 1 for plus and -1 for minus; nil if no sign comes next.
    mutating func takeSign() -> Int? { take("+") ? 1 : take("-") ? -1 : nil }

    private var wordEnd: Int {
        var end = place
        while isLetter(end) { end += 1 }
        return end
    }

    /// The letters that come next, in lower case.
    var word: String { String(decoding: lower[place..<wordEnd], as: UTF8.self) }

    mutating func takeWord() -> String {
        let word = word
        place = wordEnd
        // An abbreviation may end with a full stop.
        if !word.isEmpty, place < lower.count, lower[place] == UInt8(ascii: ".") { place += 1 }
        skipSpace()
        return word
    }

    mutating func takeWord(_ words: String...) -> Bool {
        guard isAtLetter, words.contains(word) else { return false }
        _ = takeWord()
        return true
    }

    /// Reads the next word, and returns its value in the table; nil if the table does not contain the word.
    mutating func takeWord<Value>(of table: [String: Value]) -> Value? {
        guard isAtLetter, let value = table[word] else { return nil }
        _ = takeWord()
        return value
    }

    /// The number of digits that come next.
    var digits: Int {
        var end = place
        while isDigit(end) { end += 1 }
        return end - place
    }

    /// Reads a number; nil if its number of digits is not allowed.
    mutating func takeNumber(_ allowed: ClosedRange<Int> = 1...2) -> Int? {
        let count = digits
        guard allowed.contains(count), count <= 9 else { return nil }
        let number = lower[place..<place + count].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        place += count
        skipSpace()
        return number
    }

    /// Reads a text between two delimiters, by default quotation marks.
    mutating func takeText(from opening: Character = "\"", to closing: Unicode.Scalar = "\"") -> String? {
        guard next() == opening, let end = text[(place + 1)...].firstIndex(of: UInt8(ascii: closing))
        else { return nil }
        let comment = String(decoding: text[place + 1..<end], as: UTF8.self)
        place = end + 1
        skipSpace()
        return comment
    }
}
