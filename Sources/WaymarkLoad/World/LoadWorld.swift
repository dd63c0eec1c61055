// SPDX-License-Identifier: Apache-2.0

public import Geodesy
import LoadTest

/// Where landmarks are and where people ask, clustered as cities are: the sizes of cities follow Zipf's law (the second
/// has half the people of the first, the third a third), and a city spreads with the root of its size.
///
/// The cities are the same for all that a seed makes; what is drawn from them depends on the stream.
public struct LoadWorld: Sendable {
    private struct City: Sendable {
        var centre: Coordinate
        /// Metres: one standard deviation in each direction.
        var spread: Double
    }

    private static let cities = 1_000
    private static let greatestSpread = 20_000.0
    private static let leastSpread = 1_500.0
    /// What part lies anywhere on earth.
    private static let countryside = 0.05
    /// Around a place: one standard deviation, in metres.
    private static let spreadAround = 10_000.0

    private let cities: [City]
    /// The sums of the cities' shares, up to 1.
    private let sums: [Double]
    private var random: SeededGenerator

    /// - Parameters:
    ///   - stream: of one seed each draws something else.
    ///   - around: one city only, there; nil: the whole world.
    public init(seed: UInt64, stream: UInt64, around: Coordinate? = nil) {
        var founder = SeededGenerator(seed: seed)
        if let around {
            (cities, sums) = ([City(centre: around, spread: Self.spreadAround)], [1])
        } else {
            cities = (1...Self.cities).map { rank in
                City(
                    centre: Self.anywhere(&founder),
                    spread: max(Self.leastSpread, Self.greatestSpread / Double(rank).squareRoot()))
            }
            let shares = (1...Self.cities).map { 1 / Double($0) }
            let all = shares.reduce(0, +)
            var sum = 0.0
            sums = shares.map { share in
                sum += share / all
                return sum
            }
        }
        random = SeededGenerator(seed: seed ^ (stream &* 0x9e37_79b9_7f4a_7c15))
    }

    public mutating func position() -> Coordinate {
        guard cities.count > 1 else { return near(cities[0]) }
        if random.unit() < Self.countryside { return Self.anywhere(&random) }
        let drawn = random.unit()
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] < drawn { low = middle + 1 } else { high = middle }
        }
        return near(cities[low])
    }

    /// One of `words`, for a name.
    public mutating func pick(_ words: [String]) -> String { words[Int(random.next() % UInt64(words.count))] }

    private mutating func near(_ city: City) -> Coordinate {
        let (north, east) = (random.normal() * city.spread, random.normal() * city.spread)
        let distance = (north * north + east * east).squareRoot()
        return Geodesic.destination(
            from: city.centre, bearing: Self.degrees(east, north), distance: distance)
    }

    /// Evenly on the sphere, but not where hardly anybody lives: between 60 degrees south and 75 north.
    private static func anywhere(_ random: inout SeededGenerator) -> Coordinate {
        while true {
            let latitude = Self.arcsine(2 * random.unit() - 1)
            let longitude = random.unit() * 360 - 180
            if (-60...75).contains(latitude), let place = try? Coordinate(latitude: latitude, longitude: longitude) {
                return place
            }
        }
    }
}
