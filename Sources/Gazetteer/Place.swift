// SPDX-License-Identifier: Apache-2.0

public import Geodesy
internal import Glibc

/// A town or a part of one, as the gazetteer knows it.
public struct Place: Sendable, Hashable {
    /// The identity of the place, within one gazetteer only.
    public let id: Int
    public let name: String
    /// The position, within 3 m of the source's.
    public let coordinate: Coordinate
    /// The population, rounded to about three digits; 0 if it is unknown.
    public let population: Int
    /// The state, province or the like; nil if the source has none.
    public let region: String?
    public let country: String
    /// The country's code of two letters (ISO 3166-1).
    public let countryCode: String
    /// The time zone, such as `Australia/Sydney`; nil if the source has none.
    public let zone: String?

    /// The name for people: `Sydney, New South Wales, Australia`.
    public var label: String { ([name] + [region, country].compactMap { $0 }).joined(separator: ", ") }
}

/// A place that a text may mean.
public struct PlaceMatch: Sendable, Hashable {
    public let place: Place
    public let likeness: Likeness

    /// The agreement of the text and the name. A better class comes first, whatever the populations are.
    public enum Likeness: String, Sendable {
        case exact, prefix, typo
    }
}

/// The area at which the person is looking. Places near it come first within their class.
public struct PlaceFocus: Sendable, Hashable {
    public let centre: Coordinate
    /// A zoom level of web maps, 0 to 22, which decides how far "near" is.
    public let zoom: Double

    public init(centre: Coordinate, zoom: Double = 12) {
        self.centre = centre
        self.zoom = zoom.isFinite ? min(max(zoom, 0), 22) : 12
    }

    /// The nearness of a place: 1 at the centre, 0.8 at 0.25 km · 2^(18 − zoom), as Photon has it; 0 where it would be
    /// below a hundredth.
    func nearness(latitude: Double, _ coordinate: () -> Coordinate?) -> Double {
        let scale = 0.25 * exp2(18 - zoom)
        let reach = scale * Self.scales
        // Most places are too far away by latitude alone, which is cheap to check.
        guard abs(latitude - centre.latitude) * PlaceGrid.kilometresPerDegree < reach, let there = coordinate() else {
            return 0
        }
        let distance = Self.kilometres(centre, there)
        return distance < reach ? pow(0.8, distance / scale) : 0
    }

    /// The power of 0.8 that gives a hundredth.
    private static let scales = 20.6

    /// The distance in km on a sphere: within half a percent, in a tenth of the geodesic's time.
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
