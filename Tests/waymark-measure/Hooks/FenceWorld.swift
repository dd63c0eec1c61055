// SPDX-License-Identifier: Apache-2.0

import Foundation
import Gazetteer
import Geodesy
import Landmarks
import TestSupport

/// Fences in and around cities, and landmarks that move within a city or on the way from one to another.
struct FenceWorld {
    /// The greatest distance in metres from the centre of a city to a fence or a landmark.
    private static let reach = 10_000.0
    /// The greatest length of a move, in metres.
    private static let step = 500.0

    private let cities: [Coordinate]
    private var random: SplitMix64

    /// - Parameter count: the number of cities, the most populous ones.
    init(cities count: Int, seed: UInt64) throws {
        let gazetteer = try Gazetteer.embedded()
        let places = (0..<gazetteer.count).compactMap { gazetteer.place(at: $0) }
        cities = places.sorted { ($1.population, $0.id) < ($0.population, $1.id) }.prefix(count).map(\.coordinate)
        random = SplitMix64(seed: seed)
    }

    /// A circle with a radius of 100 m to 5 km.
    mutating func circle() -> Area {
        .circle(place(in: city()), radius: 100 + random.unit() * 4_900)
    }

    /// A star of 5 to 200 corners, as large as the circles.
    mutating func polygon() throws -> Area {
        let (centre, size) = (place(in: city()), 100 + random.unit() * 4_900)
        let corners = 5 + Int(random.next() % 196)
        return .polygon(
            try AreaPolygon(rings: [
                (0..<corners).map { corner in
                    let place = Geodesic.destination(
                        from: centre, bearing: 360 * Double(corner) / Double(corners),
                        distance: size * (0.5 + random.unit() / 2))
                    let east = (place.longitude - centre.longitude).remainder(dividingBy: 360)
                    return AreaPolygon.Corner(longitude: centre.longitude + east, latitude: place.latitude)
                }
            ]))
    }

    /// Nine of ten are circles.
    mutating func area() throws -> Area { try random.isOne(of: 10) ? polygon() : circle() }

    /// A landmark before and after a move within a city; for one in four, somewhere on the way between two cities.
    mutating func move() -> (before: FilterSubject, after: FilterSubject) {
        move(from: random.isOne(of: 4) ? between() : place(in: city()))
    }

    /// A landmark before and after a move between two cities.
    mutating func journey() -> (before: FilterSubject, after: FilterSubject) { move(from: between()) }

    private mutating func move(from start: Coordinate) -> (before: FilterSubject, after: FilterSubject) {
        let end = Geodesic.destination(
            from: start, bearing: random.unit() * 360, distance: random.unit() * Self.step)
        let before = FilterSubject(
            id: UUIDv7(high: 1, low: random.next() % 10_000), coordinate: start, kind: "bus", user: "fleet",
            source: "")
        var after = before
        after.coordinate = end
        return (before, after)
    }

    private mutating func city() -> Coordinate { random.element(of: cities) }

    private mutating func place(in city: Coordinate) -> Coordinate {
        Geodesic.destination(
            from: city, bearing: random.unit() * 360, distance: Self.reach * random.unit().squareRoot())
    }

    private mutating func between() -> Coordinate {
        let (start, end) = (city(), city())
        let way = Geodesic.inverse(from: start, to: end)
        return Geodesic.destination(from: start, bearing: way.azimuth, distance: way.distance * random.unit())
    }
}
