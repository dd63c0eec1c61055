// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestTurns
import Testing

@Suite("Degrees, minutes and seconds", .inShortTurn)
struct PositionPartsTests {
    @Test(arguments: [
        (-33.8568, 151.2153, "33°51'24.5\"S 151°12'55.1\"E"), (0, 0, "0°0'0.0\"N 0°0'0.0\"E"),
        (90, -180, "90°0'0.0\"N 180°0'0.0\"W"), (0.999_999, -0.000_1, "1°0'0.0\"N 0°0'0.4\"W"),
        (51.999_99, 0.016_666, "52°0'0.0\"N 0°1'0.0\"E"),
    ])
    func written(latitude: Double, longitude: Double, text: String) throws {
        let position = try Coordinate(latitude: latitude, longitude: longitude)
        #expect(PositionText.degreesMinutesSeconds(position) == text)
        let read = try PositionText.coordinate(text)
        #expect(abs(read.latitude - latitude) < 2e-5 && abs(read.longitude - longitude) < 2e-5)
    }
}
