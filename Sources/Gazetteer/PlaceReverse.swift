// SPDX-License-Identifier: Apache-2.0

import Geodesy
internal import Glibc

/// A search of a gazetteer for the places near a position.
struct PlaceReverse {
    struct Neighbour {
        let row: Int
        /// The distance in metres.
        let distance: Double
    }

    /// The radii, in km, within which a town is looked for, one after the other. Beyond the last, nothing is found.
    static let reaches = [20.0, 100, 500]

    let file: GazetteerFile

    /// Returns the places within a distance in km, in no order.
    func within(_ kilometres: Double, of centre: Coordinate) -> [Neighbour] {
        // Degrees of longitude are shortest on the circle's side towards the pole.
        let half = kilometres / PlaceGrid.kilometresPerDegree
        let side = min(abs(centre.latitude) + half, 90)
        let halfWidth = half / max(cos(side * .pi / 180), 1e-9) * 1.01
        let bottom = PlaceGrid.latitude(centre.latitude - half) >> PlaceGrid.rowBits
        let top = PlaceGrid.latitude(centre.latitude + half) >> PlaceGrid.rowBits
        var found: [Neighbour] = []
        for row in bottom...top {
            for (west, east) in Self.spans(centre.longitude, halfWidth) {
                for place in file.range(inRow: row, PlaceGrid.longitude(west)...PlaceGrid.longitude(east)) {
                    guard let there = file.coordinate(place), abs(there.latitude - centre.latitude) <= half else {
                        continue
                    }
                    let distance = Geodesic.distance(from: centre, to: there)
                    if distance <= kilometres * 1_000 { found.append(Neighbour(row: place, distance: distance)) }
                }
            }
        }
        return found
    }

    /// Returns the place that a position belongs to. A place's weight grows with its population, and each 5 km of
    /// distance divide it by ten.
    func best(of neighbours: [Neighbour]) -> Neighbour? {
        neighbours.max { (score($0), $1.row) < (score($1), $0.row) }
    }

    private func score(_ neighbour: Neighbour) -> Double {
        let people = Double(PopulationCode.population(file.populationCode(neighbour.row)))
        return log10(people + 10) - neighbour.distance / 5_000
    }

    /// Returns the west and east ends in degrees: two ranges at the antimeridian, all longitudes near a pole.
    private static func spans(_ longitude: Double, _ half: Double) -> [(Double, Double)] {
        if half >= 180 { return [(-180, 180)] }
        let (west, east) = (longitude - half, longitude + half)
        if west < -180 { return [(-180, east), (west + 360, 180)] }
        if east > 180 { return [(west, 180), (-180, east - 360)] }
        return [(west, east)]
    }
}
