// SPDX-License-Identifier: Apache-2.0

extension PositionText {
    /// Reads the two angles of a geo: URI; nil if it is malformed. An altitude and parameters are allowed and ignored.
    /// A reference system other than WGS84 makes the URI malformed, because its numbers may have another meaning.
    ///
    /// Android writes the intended place after a question mark: `geo:0,0?q=37.789,-122.403(Office)`. There 0,0 means no
    /// position. So an address in `q` makes the URI malformed, because this code cannot look up addresses.
    static func uriParts(_ text: Substring) -> (Angle, Angle)? {
        let halves = text.lowercased().dropFirst(4)
            .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let sections = halves[0].split(separator: ";", omittingEmptySubsequences: false)
        guard sections.dropFirst().allSatisfy({ !$0.hasPrefix("crs=") || $0 == "crs=wgs84" }),
            let place = decimals(sections[0])
        else { return nil }
        guard halves.count > 1,
            let asked = halves[1].split(separator: "&").first(where: { $0.hasPrefix("q=") })?.dropFirst(2),
            !asked.isEmpty
        else { return place }
        let words = asked.replacing("%2c", with: ",").replacing("%28", with: "(").replacing("%20", with: " ")
            .replacing("+", with: " ")
        if let marked = decimals(Substring(words.prefix { $0 != "(" }.filter { !$0.isWhitespace })) { return marked }
        return place.0.degrees == 0 && place.1.degrees == 0 ? nil : place
    }

    /// Reads two or three numbers of digits, with a minus sign and a decimal point (RFC 5870, 3.3).
    private static func decimals(_ text: Substring) -> (Angle, Angle)? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
        let areDecimal = numbers.allSatisfy {
            !$0.isEmpty && $0.allSatisfy { $0.isASCII && ($0.isNumber || "-.".contains($0)) }
        }
        guard 2...3 ~= numbers.count, areDecimal, let first = Angle(String(numbers[0])),
            let second = Angle(String(numbers[1]))
        else { return nil }
        return (first, second)
    }
}
