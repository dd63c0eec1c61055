// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy

/// The nearest of all points by GeographicLib's distance.
///
/// Nothing is shorter than the straight line through the earth. So a point whose chord is longer than the geodesic of
/// the farthest of any `count` points is not among the nearest `count`. All chords are computed; the geodesic is
/// computed for each point that is not excluded, and decides.
struct BruteForce {
    /// In metres. Chords are computed in doubles, with errors below 10 nm on the earth's scale, and GeographicLib's
    /// own error is below 100 nm: this is a generous allowance for both.
    private static let slack = 0.001

    let points: [Coordinate]
    private let positions: [SIMD4<Double>]

    init(_ points: [Coordinate]) {
        self.points = points
        positions = points.map(Self.position)
    }

    /// The nearest points in order of distance; equal distances in the order of numbers.
    ///
    /// - Parameter radius: in metres; points beyond it are left out.
    func nearest(_ count: Int, to place: Coordinate, within radius: Double = .infinity) -> [(
        number: Int, distance: Double
    )] {
        let query = Self.position(place)
        let candidates = closest(count, query).map { distance($0, place) }
        let reach = candidates.count < count ? .infinity : (candidates.map(\.distance).max() ?? 0) + Self.slack
        let square = min(reach, radius + Self.slack) * min(reach, radius + Self.slack)
        var all: [(number: Int, distance: Double)] = []
        positions.withUnsafeBufferPointer { positions in
            for number in positions.indices where Self.square(positions[number], query) <= square {
                all.append(distance(number, place))
            }
        }
        all.sort { $0.distance == $1.distance ? $0.number < $1.number : $0.distance < $1.distance }
        return Array(all.lazy.filter { $0.distance <= radius }.prefix(count))
    }

    /// The approximate number of points within a radius in metres, by the chord. At 100 km the chord is less than 1 m
    /// shorter than the geodesic.
    func count(within radius: Double, of place: Coordinate) -> Int {
        let query = Self.position(place)
        return positions.withUnsafeBufferPointer { positions in
            positions.count { Self.square($0, query) <= radius * radius }
        }
    }

    private func distance(_ number: Int, _ place: Coordinate) -> (number: Int, distance: Double) {
        (number, Geodesic.distance(from: place, to: points[number]))
    }

    /// The points with the shortest chords.
    private func closest(_ count: Int, _ query: SIMD4<Double>) -> [Int] {
        var held: [(number: Int, square: Double)] = []
        positions.withUnsafeBufferPointer { positions in
            for number in positions.indices {
                let square = Self.square(positions[number], query)
                if held.count == count {
                    guard let last = held.last, square < last.square else { continue }
                    held.removeLast()
                }
                let place = held.firstIndex { $0.square > square } ?? held.count
                held.insert((number, square), at: place)
            }
        }
        return held.map(\.number)
    }

    @inline(__always)
    private static func square(_ left: SIMD4<Double>, _ right: SIMD4<Double>) -> Double {
        let line = left - right
        return (line * line).sum()
    }

    /// Earth-centred, earth-fixed coordinates in metres, on WGS84 (NIMA TR8350.2).
    private static func position(_ place: Coordinate) -> SIMD4<Double> {
        let (a, f) = (6_378_137.0, 1 / 298.257_223_563)
        let e2 = f * (2 - f)
        let (latitude, longitude) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
        let normal = a / (1 - e2 * sin(latitude) * sin(latitude)).squareRoot()
        return SIMD4(
            normal * cos(latitude) * cos(longitude), normal * cos(latitude) * sin(longitude),
            normal * (1 - e2) * sin(latitude), 0)
    }
}
