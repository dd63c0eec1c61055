// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import TestTurns
import Testing

@testable import Geodesy

@Suite("Distances within a micrometre", .computing)
struct PrecisionTests {
    @Test("the closed forms keep their error bounds, up to their reach")
    func closedForms() {
        var random = SplitMix64(seed: 21)
        var (short, section) = (0.0, 0.0)
        for _ in 0..<150_000 {
            let start = random.next() % 8 == 0 ? at(random.next() & 1 == 0 ? 90 : -90, 0) : random.anywhere()
            // From a tenth of a millimetre to the reach, each power of ten with the same probability.
            let far = SectionLine.reach * pow(10, -9.5 * random.unit())
            let end = Geodesic.destination(from: start, bearing: 360 * random.unit(), distance: far)
            let exact = Geodesic.distance(from: start, to: end)
            let (here, there) = (Cartesian.position(of: start), kept(end))
            if far < ShortLine.reach { short = max(short, abs(ShortLine.distance(from: here, to: there) - exact)) }
            section = max(section, abs(SectionLine.distance(from: here, to: there) - exact))
        }
        // The proven bound is 1 µm. At the reach of each form a twentieth of it occurs, plus the rounding of packed
        // positions.
        #expect(short < SectionLine.error / 10 + Cartesian.packedError)
        #expect(section < SectionLine.error / 20 + Cartesian.packedError)
        // A smaller error would mean that the test measures something else.
        #expect(section > Cartesian.packedError / 2)
    }

    @Test("beyond its reach the section exceeds the bound, so the test above would fail")
    func beyondReach() {
        let (start, end) = (at(10, 0), Geodesic.destination(from: at(10, 0), bearing: 45, distance: 1_500_000))
        let estimate = SectionLine.distance(from: Cartesian.position(of: start), to: kept(end))
        #expect(estimate - Geodesic.distance(from: start, to: end) > SectionLine.error)
    }

    @Test("the arc tangent equals the library's in all directions")
    func arcTangent() {
        var random = SplitMix64(seed: 27)
        for number in 0..<100_000 {
            // Includes the axes and the diagonals.
            let angle = number < 16 ? Double(number) * .pi / 8 : 2 * .pi * random.unit()
            let length = pow(10, 20 * random.unit() - 10)
            let (east, north) = (length * sin(angle), length * cos(angle))
            let library = atan2(east, north) * 180 / .pi
            let difference = abs(ArcTangent.degrees(east, north) - (library < 0 ? library + 360 : library))
            #expect(min(difference, 360 - difference) < 3e-10)
        }
        for (east, north, degrees) in [(0.0, 1.0, 0.0), (1, 0, 90), (0, -1, 180), (-1, 0, 270), (-0.0, 1, 0)] {
            #expect(ArcTangent.degrees(east, north) == degrees)
        }
    }

    @Test("the bearing keeps its bound, from its least distance to its greatest")
    func bearing() {
        var random = SplitMix64(seed: 25)
        var worst = 0.0
        for _ in 0..<150_000 {
            let start = random.next() % 8 == 0 ? at(random.next() & 1 == 0 ? 90 : -90, 0) : random.anywhere()
            let far = Compass.bearingReach * pow(SectionLine.reach / Compass.bearingReach, random.unit())
            let end = Geodesic.destination(from: start, bearing: 360 * random.unit(), distance: far)
            let estimate = Compass(at: start).bearing(of: kept(end) - Cartesian.position(of: start))
            #expect((0..<360).contains(estimate))
            let difference = abs(estimate - Geodesic.inverse(from: start, to: end).azimuth)
            worst = max(worst, min(difference, 360 - difference))
        }
        #expect(worst < Compass.bearingError)
        // A smaller error would mean that the test measures something else.
        #expect(worst > Compass.bearingError / 10)
    }

    /// A position as the index stores it.
    private func kept(_ coordinate: Coordinate) -> SIMD4<Double> {
        let (point, remainder) = Cartesian.packing(coordinate, payload: 7)
        return Cartesian.position(point, remainder)
    }

    @Test("the remainder of packing is accurate to a twentieth of a micrometre")
    func remainders() {
        var random = SplitMix64(seed: 26)
        var worst = 0.0
        for _ in 0..<100_000 {
            let place = random.anywhere()
            let error = kept(place) - Cartesian.position(of: place)
            worst = max(worst, (error * error).sum().squareRoot())
        }
        // Doubles around six million metres have a resolution of nanometres.
        #expect(worst < Cartesian.packedError + 3e-9)
        #expect(worst > Cartesian.packedError / 2)
    }

    @Test("the same rows in the same order, and no distance contradicts the order", arguments: Population.allCases)
    func sameOrder(population: Population) {
        var random = SplitMix64(seed: 22)
        var brute = BruteForce()
        for payload in 0..<UInt32(600) {
            brute.insert(random.key(), at: population.place(&random), payload: payload)
        }
        let index = SpatialIndex(brute)
        for _ in 0..<100 {
            let place = population.question(&random)
            let limit = [1, 20, 1000][Int(random.next() % 3)]
            let exact = index.nearest(to: place, limit: limit)
            let quick = index.nearest(to: place, limit: limit, precision: .micrometre)
            #expect(quick.map(\.key) == exact.map(\.key))
            #expect(zip(quick, exact).allSatisfy { agree($0.bearing, $1.bearing) })
            #expect(zip(quick, exact).allSatisfy { abs($0.distance - $1.distance) <= SectionLine.error })
            #expect(zip(quick, quick.dropFirst()).allSatisfy { ($0.distance, $0.key) < ($1.distance, $1.key) })
        }
    }

    private func agree(_ left: Double, _ right: Double) -> Bool {
        let difference = abs(left - right)
        return min(difference, 360 - difference) <= Compass.bearingError
    }

    @Test("points a nanometre apart come in GeographicLib's order", arguments: [1e-9, 1e-8, 1e-7, 1e-6])
    func closeCalls(step: Double) {
        var random = SplitMix64(seed: 23)
        let place = at(48.1, 11.5)
        for _ in 0..<20 {
            let ring = pow(10, 5.4 * random.unit())
            let places = (0..<60).map { number in
                Geodesic.destination(
                    from: place, bearing: 360 * random.unit(), distance: ring + Double(number % 20) * step)
            }
            let keys = places.map { _ in random.key() }
            let index = SpatialIndex(SpatialTree(coordinates: places, keys: keys))
            var brute = BruteForce()
            for (number, key) in keys.enumerated() { brute.insert(key, at: places[number], payload: UInt32(number)) }
            let truth = brute.nearest(to: place, limit: 40)
            #expect(index.nearest(to: place, limit: 40) == truth)
            let quick = index.nearest(to: place, limit: 40, precision: .micrometre)
            #expect(quick.map(\.key) == truth.map(\.key))
        }
    }

    @Test("pages with approximate distances join without gaps or repeats")
    func paging() {
        var random = SplitMix64(seed: 24)
        var brute = BruteForce()
        for payload in 0..<UInt32(900) {
            brute.insert(random.key(), at: Population.cities.place(&random), payload: payload)
        }
        let index = SpatialIndex(brute)
        let place = Population.cities.place(&random)
        func exact(_ key: PointKey) -> Double {
            index[key].map { Geodesic.distance(from: place, to: $0.coordinate) } ?? .nan
        }
        var keys: [PointKey] = []
        var last: Neighbour?
        while keys.count <= 900 {
            let page = index.nearest(
                to: place, limit: 20, after: last.map { (exact($0.key), $0.key) }, precision: .micrometre)
            guard !page.isEmpty else { break }
            keys += page.map(\.key)
            last = page.last
        }
        #expect(keys == brute.nearest(to: place, limit: .max).map(\.key))
    }
}
