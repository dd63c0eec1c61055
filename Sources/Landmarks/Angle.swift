// SPDX-License-Identifier: Apache-2.0

/// A latitude or a longitude as written in a text: degrees, perhaps with minutes, seconds and a letter.
struct Angle: Hashable {
    let degrees: Double
    /// The axis that the letter or word names: true for latitude, false for longitude; nil without a letter or word.
    let isLatitude: Bool?
    /// Whether degrees and minutes are written without their signs.
    let hasBareParts: Bool

    /// Reads `-33.8568`, `33.8568S`, `S 33.8568`, `33°51.4'S`, `33°51'24"S`, `S33 51 24`, `S33:51:24`, `Lat: -33.8568`,
    /// after conversion by ``PositionText/plain(_:)``. A text with both a sign and a letter is refused.
    init?(_ text: String) {
        let (axis, afterWord) = Self.labelled(text.trimmed)
        // The text is tested for a number before letters, because nan ends with the letter of north.
        if let number = Self.signed(afterWord) {
            (degrees, isLatitude, hasBareParts) = (number, axis, false)
            return
        }
        var rest = afterWord
        var letter: Character?
        if let last = rest.last, Self.letters.contains(last) {
            letter = last
            rest = rest.dropLast()
        } else if let first = rest.first, Self.letters.contains(first) {
            letter = first
            rest = rest.dropFirst()
        }
        rest = rest.trimmed
        let isNegative = rest.first == "-"
        let bare = letter == nil ? nil : Self.bareParts(rest)
        guard let size = bare ?? Self.size(rest) else { return nil }
        hasBareParts = bare != nil
        guard let letter else {
            (degrees, isLatitude) = (isNegative ? -size : size, axis)
            return
        }
        let named = "NSns".contains(letter)
        guard let sign = rest.first, sign != "-", sign != "+", size.isFinite, axis ?? named == named else { return nil }
        (degrees, isLatitude) = ("SWsw".contains(letter) ? -size : size, named)
    }

    private static let letters: Set<Character> = ["N", "S", "E", "W", "n", "s", "e", "w"]
    /// The words for the axes. Longer words come first, because some begin with a shorter word.
    private static let labels = [
        ("latitude", true), ("longitude", false), ("lat", true), ("long", false), ("lng", false), ("lon", false),
    ]

    /// Splits off a word at the beginning, and returns the axis that it names: `Lat: -33.8568`, `lon=151.2153`.
    private static func labelled(_ text: Substring) -> (Bool?, Substring) {
        let small = text.lowercased()
        guard let (word, isLatitude) = labels.first(where: { small.hasPrefix($0.0) }) else { return (nil, text) }
        let rest = text.dropFirst(word.count).trimmed
        // The label is part of a longer word, such as the name of a town.
        if rest.first?.isLetter == true { return (nil, text) }
        return (isLatitude, rest.first == ":" || rest.first == "=" ? rest.dropFirst().trimmed : rest)
    }

    private static func signed(_ text: Substring) -> Double? {
        guard text.first == "-" || text.first == "+" else { return number(text) }
        // A dash followed by white space may separate two numbers, so it is no minus sign.
        guard let next = text.dropFirst().first, !next.isWhitespace else { return nil }
        return number(text.dropFirst()).map { text.first == "-" ? -$0 : $0 }
    }

    /// Reads degrees and minutes, perhaps with seconds, separated by spaces or colons; nil for anything else.
    private static func bareParts(_ text: Substring) -> Double? {
        let parts = text.split { $0.isWhitespace || $0 == ":" }
        let numbers = parts.compactMap { number($0) }
        guard 2...3 ~= parts.count, numbers.count == parts.count, numbers.allSatisfy(\.isFinite),
            numbers.dropLast().allSatisfy({ $0 == $0.rounded() }), numbers.dropFirst().allSatisfy({ $0 < 60 })
        else { return nil }
        return numbers[0] + numbers[1] / 60 + (numbers.count == 3 ? numbers[2] / 3_600 : 0)
    }

    /// Reads the text without its sign.
    private static func size(_ text: Substring) -> Double? {
        let isSigned = text.first == "-" || text.first == "+"
        let unsigned = isSigned ? text.dropFirst() : text
        guard !isSigned || unsigned.first?.isWhitespace == false else { return nil }
        guard let mark = unsigned.firstIndex(of: "°") else { return number(unsigned) }
        guard let degrees = number(unsigned[..<mark]), degrees.isFinite else { return nil }
        var rest = unsigned[unsigned.index(after: mark)...].trimmed
        if rest.isEmpty { return degrees }
        guard degrees == degrees.rounded(), let minute = rest.firstIndex(of: "'"),
            let minutes = number(rest[..<minute]), minutes < 60
        else { return nil }
        rest = rest[rest.index(after: minute)...].trimmed
        if rest.isEmpty { return degrees + minutes / 60 }
        // Two single quotes stand for the seconds mark.
        for mark in ["\"", "''"] where rest.hasSuffix(mark) {
            guard minutes == minutes.rounded(), let seconds = number(rest.dropLast(mark.count)), seconds < 60 else {
                return nil
            }
            return degrees + minutes / 60 + seconds / 3_600
        }
        return nil
    }

    /// Accepts `nan` and `inf`, so that the range check can refuse them with its own error. Refuses hexadecimal digits.
    private static func number(_ text: Substring) -> Double? {
        let digits = text.trimmed
        guard let first = digits.first, first != "-", first != "+", !digits.contains(where: { "xX(".contains($0) })
        else { return nil }
        return Double(digits)
    }
}

extension StringProtocol {
    /// The text without white space at both ends.
    package var trimmed: Substring {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return Substring(self[first...last])
    }
}
