// SPDX-License-Identifier: Apache-2.0

import Gazetteer
import Geodesy
import TestSupport
import TestTurns
import Testing

@testable import QueryService

@Suite("Time zones by cell", .computing)
struct CellZonesTests {
    /// A border along 151.03 degrees east, and nothing south of 60 degrees south.
    private static func zone(_ latitude: Double, _ longitude: Double) -> String? {
        latitude < -60 ? nil : longitude < 151.03 ? "west" : "east"
    }

    @Test("the answers are those of the look-up, at borders too, and few are looked up")
    func answers() {
        var random = SplitMix64(seed: 5)
        var cells = CellZones<String>()
        for _ in 0..<20_000 {
            let (latitude, longitude) = (
                Double.random(in: -61 ... -59, using: &random), Double.random(in: 150...152, using: &random)
            )
            #expect(cells.zone(latitude, longitude, Self.zone) == Self.zone(latitude, longitude))
        }
        #expect(cells.count <= 21 * 21)
        let lookups = cells.takeLookups()
        // Each cell once with five, and the twentieth of the landmarks that is in a column with the border.
        #expect((400 * 5..<21 * 21 * 5 + 2_000).contains(lookups), "\(lookups)")
        #expect(cells.takeLookups() == 0)
    }

    @Test("the ends of the earth are cells like others")
    func ends() {
        var cells = CellZones<String>()
        for latitude in [-90.0, -89.99, 0, -0.0, 89.99, 90] {
            for longitude in [-180.0, -179.99, 0, 179.99, 180] {
                let found = cells.zone(latitude, longitude) { latitude, _ in abs(latitude) <= 90 ? "here" : "beyond" }
                #expect(found == "here")
            }
        }
    }

    @Test("as many cells as are kept do not grow further")
    func bound() {
        var cells = CellZones<Int>()
        for row in 0..<300 {
            for column in 0..<300 { _ = cells.zone(Double(row) / 10, Double(column) / 10) { _, _ in 1 } }
        }
        #expect(cells.count <= CellZones<Int>.mostCells)
    }

    @Test(
        "the nearest town's zone",
        arguments: [
            (-33.86, 151.21, "Australia/Sydney"), (-31.96, 141.46, "Australia/Broken_Hill"),
            (52.52, 13.4, "Europe/Berlin"),
            (-17.8, 178.0, "Pacific/Fiji"), (-45.0, -140.0, nil), (90, 0, nil), (-90, 180, nil),
        ] as [(Double, Double, String?)])
    func towns(_ latitude: Double, _ longitude: Double, _ expected: String?) throws {
        let gazetteer = try Gazetteer.embedded()
        var cells = CellZones<String>()
        let found = cells.zone(latitude, longitude) { latitude, longitude in
            (try? Coordinate(latitude: latitude, longitude: longitude)).flatMap { gazetteer.zone(at: $0) }
        }
        #expect(found == expected)
    }
}
