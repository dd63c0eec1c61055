// SPDX-License-Identifier: Apache-2.0

public import Geodesy

/// Reads a position as people write it: `-33.8568,151.2153`, `-33.8568 151.2153`, `33.8568S,151.2153E`,
/// `33°51'24"S 151°12'55"E`, and the URI `geo:-33.8568,151.2153` (RFC 5870).
public enum PositionText {
    /// The latitude comes first, unless the letters give another order.
    public static func coordinate(_ text: String) throws(PositionTextError) -> Coordinate {
        // A longer text is refused before any parsing.
        guard text.utf8.count <= 200, let parts = uriParts(text) ?? parts(text) else { throw .malformed }
        let isTurned: Bool
        switch (parts.0.isLatitude, parts.1.isLatitude) {
        case (nil, nil), (true, nil), (nil, false), (true, false): isTurned = false
        case (false, true): isTurned = true
        case (true, true), (false, false), (false, nil), (nil, true): throw .malformed
        }
        let (latitude, longitude) =
            isTurned ? (parts.1.degrees, parts.0.degrees) : (parts.0.degrees, parts.1.degrees)
        if abs(latitude) > 90, abs(latitude) <= 180, abs(longitude) <= 90 {
            throw .swapped(latitude: latitude, longitude: longitude)
        }
        do throws(CoordinateError) {
            return try Coordinate(writtenLatitude: latitude, longitude: longitude)
        } catch {
            throw .coordinate(error)
        }
    }

    /// Whether `text` may be one half of a position: a number, or an angle with its letter.
    public static func isHalf(_ text: String) -> Bool { text.utf8.count <= 100 && Angle(text) != nil }

    /// The two angles of a geo: URI. An altitude and parameters are allowed and ignored, but a reference system other than
    /// WGS84 makes it malformed, because it may give the numbers another meaning.
    private static func uriParts(_ text: String) -> (Angle, Angle)? {
        let words = text.trimmed.lowercased()
        guard words.hasPrefix("geo:") else { return nil }
        let sections = words.dropFirst(4).split(separator: ";", omittingEmptySubsequences: false)
        guard sections.dropFirst().allSatisfy({ !$0.hasPrefix("crs=") || $0 == "crs=wgs84" }) else { return nil }
        let numbers = sections[0].split(separator: ",", omittingEmptySubsequences: false)
        // RFC 5870, 3.3: digits with a minus sign and a decimal point.
        let areDecimal = numbers.allSatisfy {
            !$0.isEmpty && $0.allSatisfy { $0.isASCII && ($0.isNumber || "-.".contains($0)) }
        }
        guard 2...3 ~= numbers.count, areDecimal, let first = Angle(String(numbers[0])),
            let second = Angle(String(numbers[1]))
        else { return nil }
        return (first, second)
    }

    /// The two angles: at a comma, else after a letter at the end of the first, else at white space.
    private static func parts(_ text: String) -> (Angle, Angle)? {
        var halves = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        if halves.count == 1 {
            let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
            // One angle may contain white space too: 33° 51' S 151° 12' E.
            halves =
                (1..<max(1, words.count)).lazy
                .map { [words[..<$0].joined(separator: " "), words[$0...].joined(separator: " ")] }
                .first { $0.allSatisfy { Angle($0) != nil } } ?? []
        }
        guard halves.count == 2, let first = Angle(halves[0]), let second = Angle(halves[1]) else { return nil }
        return (first, second)
    }
}

/// Why a text is not a position. A closed set: every case tells the user what to do.
public enum PositionTextError: Error, Hashable, Sendable {
    case malformed
    case coordinate(CoordinateError)
    /// Both values in the order in which they were written. The order is probably wrong.
    case swapped(latitude: Double, longitude: Double)
}

extension PositionTextError: CustomStringConvertible {
    /// The end of a sentence that begins with the given text.
    public var description: String {
        switch self {
        case .malformed:
            "a position is LAT,LON in degrees, such as -33.8568,151.2153 or 33°51'24\"S 151°12'55\"E."
        case .coordinate(.longitudeOutOfRange(let degrees)):
            "longitude \(Self.digits(degrees)) is not within -180 and 180 degrees."
        case .coordinate(let error): "\(error)."
        case .swapped(let latitude, let longitude):
            "latitude \(Self.digits(latitude)) is not within -90 and 90 degrees: the latitude comes first, so did you "
                + "mean \(Self.digits(longitude)),\(Self.digits(latitude))?"
        }
    }

    private static func digits(_ degrees: Double) -> String {
        let text = degrees.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
