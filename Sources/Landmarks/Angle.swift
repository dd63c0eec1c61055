// SPDX-License-Identifier: Apache-2.0

/// One half of a position: degrees, perhaps with minutes, seconds and a letter.
struct Angle: Hashable {
    let degrees: Double
    /// The axis that its letter names; nil if it has no letter.
    let isLatitude: Bool?

    /// Reads `-33.8568`, `33.8568S`, `S 33.8568`, `33°51.4'S`, `33°51'24"S`. A text with both a sign and a letter is refused.
    init?(_ text: String) {
        var rest = Substring(text.trimmed)
        // Tested before the letters, because nan ends with the letter of north.
        if let number = Self.signed(rest) {
            (degrees, isLatitude) = (number, nil)
            return
        }
        var letter: Character?
        if let last = rest.last, Self.letters.contains(last) {
            letter = last
            rest = rest.dropLast()
        } else if let first = rest.first, Self.letters.contains(first) {
            letter = first
            rest = rest.dropFirst()
        }
        let isNegative = rest.trimmed.first == "-"
        guard let size = Self.size(rest.trimmed) else { return nil }
        guard let letter else {
            (degrees, isLatitude) = (isNegative ? -size : size, nil)
            return
        }
        guard let sign = rest.trimmed.first, sign != "-", sign != "+", size.isFinite else { return nil }
        (degrees, isLatitude) = ("SWsw".contains(letter) ? -size : size, "NSns".contains(letter))
    }

    private static let letters: Set<Character> = ["N", "S", "E", "W", "n", "s", "e", "w"]

    private static func signed(_ text: Substring) -> Double? {
        guard text.first == "-" || text.first == "+" else { return number(text) }
        return number(text.dropFirst()).map { text.first == "-" ? -$0 : $0 }
    }

    /// The text without its sign.
    private static func size(_ text: Substring) -> Double? {
        let unsigned = text.first == "-" || text.first == "+" ? text.dropFirst() : text
        guard let mark = unsigned.firstIndex(where: { "°º".contains($0) }) else { return number(unsigned) }
        guard let degrees = number(unsigned[..<mark]), degrees.isFinite else { return nil }
        var rest = unsigned[unsigned.index(after: mark)...].trimmed
        if rest.isEmpty { return degrees }
        guard degrees == degrees.rounded(), let minute = rest.firstIndex(where: { "'′’".contains($0) }),
            let minutes = number(rest[..<minute]), minutes < 60
        else { return nil }
        // Two single quotes stand for the mark of seconds.
        rest = rest[rest.index(after: minute)...].trimmed
        if rest.isEmpty { return degrees + minutes / 60 }
        for mark in ["\"", "″", "”", "''", "′′"] where rest.hasSuffix(mark) {
            guard minutes == minutes.rounded(), let seconds = number(rest.dropLast(mark.count)), seconds < 60 else {
                return nil
            }
            return degrees + minutes / 60 + seconds / 3_600
        }
        return nil
    }

    /// Accepts `nan` and `inf`, so that the range check can refuse them with its own message. Refuses hexadecimal digits.
    private static func number(_ text: Substring) -> Double? {
        let digits = text.trimmed
        guard let first = digits.first, first != "-", first != "+", !digits.contains(where: { "xX(".contains($0) })
        else { return nil }
        return Double(digits)
    }
}

extension StringProtocol {
    /// The text without white space at its ends.
    var trimmed: Substring {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return Substring(self[first...last])
    }
}
