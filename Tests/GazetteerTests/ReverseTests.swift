// SPDX-License-Identifier: Apache-2.0

import Gazetteer
import Geodesy
import TestTurns
import Testing

@Suite(.inShortTurn)
struct ReverseTests {
    @Test(
        "Where a position is",
        arguments: [
            // Beside the Opera House: 1.4 km from the middle of Sydney, and 1.3 km from Milsons Point.
            (-33.8568, 151.2153, "near Milsons Point, 1.4 km NNE of Sydney, New South Wales, Australia"),
            (-33.8675, 151.2075, "near Sydney, New South Wales, Australia"),
            (30.5, 76.3922, "18 km N of Patiāla, Punjab, India"),
            // Beyond 20 km the nearest one.
            (-33.8, 150.5, "66 km W of Sydney, New South Wales, Australia"),
            // On the other side of the antimeridian.
            (-16.805, -179.99, "1.6 km E of Lovonivonu, Fiji"),
        ])
    func sentence(latitude: Double, longitude: Double, text: String) throws {
        let position = try Coordinate(latitude: latitude, longitude: longitude)
        #expect(try SmallGazetteer.make().surroundings(of: position)?.sentence == text)
    }

    @Test("Far from everything nothing is claimed", arguments: [(90.0, 0.0), (-90, 0), (-48.9, -123.4), (0, -180)])
    func nowhere(latitude: Double, longitude: Double) throws {
        let position = try Coordinate(latitude: latitude, longitude: longitude)
        let gazetteer = try SmallGazetteer.make()
        #expect(gazetteer.surroundings(of: position) == nil)
        #expect(gazetteer.zone(at: position) == nil)
    }

    @Test("The zone is that of the nearest place which has one")
    func zone() throws {
        let gazetteer = try SmallGazetteer.make()
        #expect(gazetteer.zone(at: try Coordinate(latitude: -33.9, longitude: 151)) == "Australia/Sydney")
        #expect(gazetteer.zone(at: try Coordinate(latitude: -17, longitude: -179.9)) == "Pacific/Fiji")
        #expect(gazetteer.zone(at: try Coordinate(latitude: 48.70354, longitude: 9.65209)) == "Europe/Berlin")
    }
}
