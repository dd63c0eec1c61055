// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

import Geodesy

@Suite("Coordinate", .computing)
struct CoordinateTests {
    @Test(
        "longitudes are normalised",
        arguments: [
            (180, 180), (-180, -180), (181, -179), (-181, 179), (360, 0), (-360, 0), (540.5, -179.5), (3600.25, 0.25),
        ])
    func longitudes(given: Double, kept: Double) throws {
        #expect(try Coordinate(latitude: 0, longitude: given).longitude == kept)
    }

    @Test("minus zero becomes zero, in both angles and after a turn", arguments: [-0.0, -360, -720])
    func minusZero(longitude: Double) throws {
        let coordinate = try Coordinate(latitude: -0.0, longitude: longitude)
        #expect(coordinate.latitude.sign == .plus)
        #expect(coordinate.longitude.sign == .plus)
    }

    @Test("a latitude beyond a pole is refused", arguments: [90.000001, -90.000001, 91, -1e300])
    func latitudes(latitude: Double) throws {
        #expect(throws: CoordinateError.latitudeOutOfRange(latitude)) {
            try Coordinate(latitude: latitude, longitude: 0)
        }
    }

    @Test("infinity and NaN are refused", arguments: [Double.nan, .infinity, -.infinity])
    func notFinite(angle: Double) throws {
        #expect(throws: CoordinateError.notFinite) { try Coordinate(latitude: angle, longitude: 0) }
        #expect(throws: CoordinateError.notFinite) { try Coordinate(latitude: 0, longitude: angle) }
    }

    @Test("the poles themselves are places", arguments: [90.0, -90])
    func poles(latitude: Double) throws {
        #expect(try Coordinate(latitude: latitude, longitude: 12).latitude == latitude)
    }
}
