// SPDX-License-Identifier: Apache-2.0

public import Geodesy
import Glibc
import LoadTest

/// Draws positions for landmarks and queries that are clustered like cities. The sizes of the cities follow Zipf's law:
/// the second city has half the people of the first, the third a third, and so on. The spread of a city grows with the
/// square root of its size.
///
/// All worlds with the same seed have the same cities. The positions drawn from them depend on the stream.
public struct LoadWorld: Sendable {
    private struct City: Sendable {
        var centre: Coordinate
        /// The standard deviation of the positions in each direction, in metres.
        var spread: Double
    }

    private static let cities = 1_000
    private static let greatestSpread = 20_000.0
    private static let leastSpread = 1_500.0
    /// The share of positions that are outside cities, anywhere on earth.
    private static let countryside = 0.05
    /// The standard deviation of the positions around a given coordinate, in metres.
    private static let spreadAround = 10_000.0

    private let cities: [City]
    private let choice: WeightedChoice
    private var random: SeededGenerator

    /// - Parameters:
    ///   - stream: the number of the stream. Different streams of one seed draw different positions.
    ///   - around: the position of the only city; nil for cities all over the world.
    public init(seed: UInt64, stream: UInt64, around: Coordinate? = nil) {
        var founder = SeededGenerator(seed: seed)
        if let around {
            (cities, choice) = ([City(centre: around, spread: Self.spreadAround)], WeightedChoice([1]))
        } else {
            cities = (1...Self.cities).map { rank in
                City(
                    centre: Self.anywhere(&founder),
                    spread: max(Self.leastSpread, Self.greatestSpread / Double(rank).squareRoot()))
            }
            choice = WeightedChoice((1...Self.cities).map { 1 / Double($0) })
        }
        random = SeededGenerator(seed: seed ^ (stream &* 0x9e37_79b9_7f4a_7c15))
    }

    public mutating func position() -> Coordinate {
        guard cities.count > 1 else { return near(cities[0]) }
        if random.unit() < Self.countryside { return Self.anywhere(&random) }
        let city = cities[choice.place(random.unit())]
        return near(city)
    }

    public mutating func pick(_ words: [String]) -> String { words[Int(random.next() % UInt64(words.count))] }

    private mutating func near(_ city: City) -> Coordinate {
        let (north, east) = (random.normal() * city.spread, random.normal() * city.spread)
        let distance = (north * north + east * east).squareRoot()
        return Geodesic.destination(from: city.centre, bearing: atan2(east, north) * 180 / .pi, distance: distance)
    }

    /// Draws a position, uniform on the sphere, from 60° south to 75° north, because hardly anybody lives beyond.
    private static func anywhere(_ random: inout SeededGenerator) -> Coordinate {
        while true {
            let latitude = asin(2 * random.unit() - 1) * 180 / .pi
            let longitude = random.unit() * 360 - 180
            if (-60...75).contains(latitude), let place = try? Coordinate(latitude: latitude, longitude: longitude) {
                return place
            }
        }
    }
}
