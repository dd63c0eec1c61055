// SPDX-License-Identifier: Apache-2.0

import Geodesy
internal import Glibc
import Landmarks

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
        let box = Area.circle(centre, radius: kilometres * 1_000).bounds
        let bottom = PlaceGrid.latitude(box.south) >> PlaceGrid.rowBits
        let top = PlaceGrid.latitude(box.north) >> PlaceGrid.rowBits
        // Two ranges if the box contains the 180th meridian.
        let ranges: [(Double, Double)] =
            box.west <= box.east ? [(box.west, box.east)] : [(box.west, 180), (-180, box.east)]
        var found: [Neighbour] = []
        for row in bottom...top {
            for (west, east) in ranges {
                for place in file.range(inRow: row, PlaceGrid.longitude(west)...PlaceGrid.longitude(east)) {
                    guard let there = file.coordinate(place), (box.south...box.north).contains(there.latitude) else {
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
}
