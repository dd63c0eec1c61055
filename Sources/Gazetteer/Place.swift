// SPDX-License-Identifier: Apache-2.0

public import Geodesy
internal import Glibc

/// A town or a part of a town, as the gazetteer knows it.
public struct Place: Sendable, Hashable {
    /// Identifies the place, within one gazetteer only.
    public let id: Int
    public let name: String
    /// The position, within 3 m of that in GeoNames's data.
    public let coordinate: Coordinate
    /// The population, rounded to about three digits; 0 if unknown.
    public let population: Int
    /// The state, province or similar region; nil if GeoNames has none.
    public let region: String?
    public let country: String
    /// The country's code of two letters (ISO 3166-1).
    public let countryCode: String
    /// The time zone, such as `Australia/Sydney`; nil if GeoNames has none.
    public let zone: String?

    /// The name for people, such as `Sydney, New South Wales, Australia`.
    public var label: String { ([name] + [region, country].compactMap { $0 }).joined(separator: ", ") }
}

/// A place that a text may mean.
public struct PlaceMatch: Sendable, Hashable {
    public let place: Place
    public let likeness: Likeness

    /// How the text agrees with the name. A place of a better class comes first, whatever its population is.
    public enum Likeness: String, Sendable {
        case exact, prefix, typo
    }
}

/// The position that the person is looking at. Places near it come first within their class.
struct PlaceFocus {
    /// The distance in km at which nearness is 0.8: 0.25 km · 2^(18 − 12), as in Photon for a map of zoom 12.
    private static let scale = 16.0
    /// The distance in km at which nearness is a hundredth, because 0.8 to the power of 20.6 is.
    private static let reach = 20.6 * scale

    let centre: Coordinate

    /// Returns how near a place is: 1 at the centre, 0.8 at 16 km. Values below a hundredth become 0.
    func nearness(latitude: Double, _ coordinate: () -> Coordinate?) -> Double {
        // The latitude alone shows for most places that they are too far away, and is cheap to check.
        guard abs(latitude - centre.latitude) * PlaceGrid.kilometresPerDegree < Self.reach, let there = coordinate()
        else { return 0 }
        let distance = Self.kilometres(centre, there)
        return distance < Self.reach ? pow(0.8, distance / Self.scale) : 0
    }

    /// Returns the distance in km on a sphere, accurate to half a per cent, in a tenth of the geodesic's time.
    private static func kilometres(_ one: Coordinate, _ other: Coordinate) -> Double {
        let radians = { (degrees: Double) in degrees * .pi / 180 }
        let halfLatitude = sin(radians((one.latitude - other.latitude) / 2))
        let halfLongitude = sin(radians((one.longitude - other.longitude) / 2))
        let chord =
            halfLatitude * halfLatitude + cos(radians(one.latitude)) * cos(radians(other.latitude)) * halfLongitude
            * halfLongitude
        return 2 * 6_371 * asin(min(1, chord.squareRoot()))
    }
}
