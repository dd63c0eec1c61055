// SPDX-License-Identifier: Apache-2.0

/// A position on the WGS84 ellipsoid, in degrees.
public struct Coordinate: Sendable, Hashable, CustomStringConvertible {
    /// Geographic latitude in degrees, north positive, in [-90, 90].
    public let latitude: Double

    /// Longitude in degrees, east positive, in [-180, 180].
    public let longitude: Double

    /// Makes a coordinate from two angles in degrees.
    ///
    /// A longitude beyond ±180 is wrapped into that range: 181 becomes -179. 180 and -180 stay as given. -0.0 becomes
    /// 0.0, so that equal coordinates have equal bits.
    ///
    /// - Throws: ``CoordinateError/notFinite`` if an angle is infinite or not a number,
    ///   ``CoordinateError/latitudeOutOfRange(_:)`` if the latitude is beyond a pole.
    public init(latitude: Double, longitude: Double) throws(CoordinateError) {
        guard latitude.isFinite, longitude.isFinite else { throw .notFinite }
        guard abs(latitude) <= 90 else { throw .latitudeOutOfRange(latitude) }
        self.init(valid: latitude, longitude)
    }

    /// Makes a coordinate from two angles that a person wrote. A longitude beyond ±180 is an error here instead of
    /// being wrapped, because in `1,540` the comma may separate thousands.
    ///
    /// - Throws: the errors of ``init(latitude:longitude:)``, and ``CoordinateError/longitudeOutOfRange(_:)``.
    public init(writtenLatitude latitude: Double, longitude: Double) throws(CoordinateError) {
        try self.init(latitude: latitude, longitude: longitude)
        guard abs(longitude) <= 180 else { throw .longitudeOutOfRange(longitude) }
    }

    /// Makes a coordinate from angles that are known to be finite, with a latitude within ±90.
    init(valid latitude: Double, _ longitude: Double) {
        // IEEE's remainder is exact, so wrapping loses no precision. Adding 0.0 turns -0.0 into 0.0.
        self.latitude = latitude + 0.0
        self.longitude = (abs(longitude) <= 180 ? longitude : longitude.remainder(dividingBy: 360)) + 0.0
    }

    /// The latitude and longitude in degrees, such as `-33.8568, 151.2153`.
    public var description: String { "\(latitude), \(longitude)" }
}

/// The reason why two numbers do not make a ``Coordinate``.
public enum CoordinateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The latitude, given in degrees, lies beyond a pole.
    case latitudeOutOfRange(Double)

    /// The longitude, given in degrees, lies beyond ±180.
    case longitudeOutOfRange(Double)

    /// An angle is infinite or not a number.
    case notFinite

    /// The error as one sentence for people.
    public var description: String {
        switch self {
        case .latitudeOutOfRange(let latitude): "latitude \(latitude) is not within -90 and 90 degrees"
        case .longitudeOutOfRange(let longitude): "longitude \(longitude) is not within -180 and 180 degrees"
        case .notFinite: "latitude and longitude must be finite numbers"
        }
    }
}
