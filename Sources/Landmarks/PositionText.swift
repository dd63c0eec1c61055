// SPDX-License-Identifier: Apache-2.0

public import Geodesy

/// Reads a position as people and programs write it: `-33.8568,151.2153`, `-33.8568 151.2153`, `33.8568S,151.2153E`,
/// `33°51'24"S 151°12'55"E`, `N48 12 34.5 E011 22 33.4`, `Lat: -33.8568 Lng: 151.2153`, and the URI
/// `geo:-33.8568,151.2153` (RFC 5870). All characters that ``plain(_:)`` knows are allowed.
public enum PositionText {
    /// Reads a position. The latitude comes first, unless letters or words tell another order.
    public static func coordinate(_ text: String) throws(PositionTextError) -> Coordinate {
        // A longer text is refused without parsing.
        guard text.utf8.count <= 200 else { throw .malformed }
        let typed = plain(text).trimmed
        let isSquare = typed.first == "[" && typed.last == "]"
        let isRound = typed.first == "(" && typed.last == ")"
        let inner = isSquare || isRound ? typed.dropFirst().dropLast() : typed
        guard let parts = typed.lowercased().hasPrefix("geo:") ? uriParts(typed) : parts(inner) else {
            throw .malformed
        }
        let isTurned: Bool
        switch (parts.0.isLatitude, parts.1.isLatitude) {
        case (nil, nil):
            // The order is unclear, because GeoJSON writes the longitude first and many programs the latitude.
            guard !isSquare || abs(parts.0.degrees) > 90 || abs(parts.1.degrees) > 90 else { throw .unclearOrder }
            isTurned = false
        case (true, nil), (nil, false), (true, false): isTurned = false
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
    public static func isHalf(_ text: String) -> Bool { text.utf8.count <= 100 && Angle(plain(text)) != nil }

    /// Splits the text into two angles: at a comma or semicolon, else after a letter that ends the first angle, else at
    /// white space.
    private static func parts(_ text: Substring) -> (Angle, Angle)? {
        let mark: Character = text.contains(";") ? ";" : ","
        var halves = text.split(separator: mark, omittingEmptySubsequences: false).map(String.init)
        if halves.count == 1 {
            let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
            // Each angle may also contain white space: 33° 51' S 151° 12' E.
            halves =
                (1..<max(1, words.count)).lazy
                .map { [words[..<$0].joined(separator: " "), words[$0...].joined(separator: " ")] }
                .first { $0.allSatisfy { Angle($0) != nil } } ?? []
        }
        guard halves.count == 2, let first = Angle(halves[0]), let second = Angle(halves[1]) else { return nil }
        // Unless both angles have letters, several numbers could be divided between them in other ways as well.
        guard !first.hasBareParts && !second.hasBareParts || first.isLatitude != nil && second.isLatitude != nil else {
            return nil
        }
        return (first, second)
    }

    /// Formats `33°51'24.5"S 151°12'55.1"E`, with a precision of a tenth of a second, or 3 m. ``coordinate(_:)`` can
    /// read the result.
    public static func degreesMinutesSeconds(_ position: Coordinate) -> String {
        parts(position.latitude, "N", "S") + " " + parts(position.longitude, "E", "W")
    }

    private static func parts(_ degrees: Double, _ positive: String, _ negative: String) -> String {
        let tenths = Int((abs(degrees) * 36_000).rounded())
        let minutes = tenths / 600 % 60
        return "\(tenths / 36_000)°\(minutes)'\(tenths / 10 % 60).\(tenths % 10)\"\(degrees < 0 ? negative : positive)"
    }
}

/// The reason why a text is not a position. Every case has a sentence for people that says what to do.
public enum PositionTextError: Error, Hashable, Sendable, CustomStringConvertible {
    case malformed
    /// Two numbers in square brackets, of which either may be the latitude.
    case unclearOrder
    case coordinate(CoordinateError)
    /// The two values in the order in which they were written, which is probably the wrong order.
    case swapped(latitude: Double, longitude: Double)

    /// The second part of a sentence that begins with the given text.
    public var description: String {
        switch self {
        case .malformed:
            "a position is LAT,LON in degrees, such as -33.8568,151.2153 or 33°51'24\"S 151°12'55\"E."
        case .unclearOrder:
            "in square brackets some write the latitude first and some the longitude: leave the brackets out, and "
                + "begin with the latitude."
        case .coordinate(.longitudeOutOfRange(let degrees)):
            "longitude \(degrees.short) is not within -180 and 180 degrees."
        case .coordinate(let error): "\(error)."
        case .swapped(let latitude, let longitude):
            "latitude \(latitude.short) is not within -90 and 90 degrees: the latitude comes first, so did you "
                + "mean \(longitude.short),\(latitude.short)?"
        }
    }
}
