// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Geodesy

@Suite("Distances within a micrometre", .timeLimit(.minutes(1)))
struct PrecisionTests {
    @Test("the closed form is as near as it says, up to its reach")
    func closedForm() {
        var random = SplitMix64(seed: 21)
        var worst = 0.0
        for _ in 0..<150_000 {
            let start = random.next() % 8 == 0 ? at(random.next() & 1 == 0 ? 90 : -90, 0) : random.anywhere()
            // From a nanometre to the reach, each power of ten alike.
            let far = pow(10, random.unit() * 13.301 - 9)
            let end = Geodesic.destination(from: start, bearing: 360 * random.unit(), distance: far)
            let estimate = ShortLine.distance(from: Cartesian.position(of: start), to: kept(end))
            worst = max(worst, abs(estimate - Geodesic.distance(from: start, to: end)))
        }
        // The proof says 1 µm; at 20 km a twentieth of that is seen, and what keeping a position rounds away.
        #expect(worst < ShortLine.error / 10 + Cartesian.packedError)
    }

    @Test("so is the bearing, from its least distance to its greatest")
    func bearing() {
        var random = SplitMix64(seed: 25)
        var worst = 0.0
        for _ in 0..<150_000 {
            let start = random.next() % 8 == 0 ? at(random.next() & 1 == 0 ? 90 : -90, 0) : random.anywhere()
            let far = ShortLine.bearingReach * pow(ShortLine.reach / ShortLine.bearingReach, random.unit())
            let end = Geodesic.destination(from: start, bearing: 360 * random.unit(), distance: far)
            let estimate = Compass(at: start).bearing(of: kept(end) - Cartesian.position(of: start))
            #expect((0..<360).contains(estimate))
            let difference = abs(estimate - Geodesic.inverse(from: start, to: end).azimuth)
            worst = max(worst, min(difference, 360 - difference))
        }
        #expect(worst < ShortLine.bearingError)
        // Between the bound and a tenth of it, or it is not that which is measured.
        #expect(worst > ShortLine.bearingError / 10)
    }

    /// A position as the index keeps it.
    private func kept(_ coordinate: Coordinate) -> SIMD4<Double> {
        let (point, remainder) = Cartesian.packing(coordinate, payload: 7)
        return Cartesian.position(point, remainder)
    }

    @Test("what packing rounds away is kept to a twentieth of a micrometre")
    func remainders() {
        var random = SplitMix64(seed: 26)
        var worst = 0.0
        for _ in 0..<100_000 {
            let place = random.anywhere()
            let error = kept(place) - Cartesian.position(of: place)
            worst = max(worst, (error * error).sum().squareRoot())
        }
        // Doubles of six million metres have nanometres.
        #expect(worst < Cartesian.packedError + 3e-9)
        #expect(worst > Cartesian.packedError / 2)
    }

    @Test("the same rows in the same order, none contradicting it", arguments: Population.allCases)
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
            #expect(zip(quick, exact).allSatisfy { abs($0.distance - $1.distance) <= ShortLine.error })
            #expect(zip(quick, quick.dropFirst()).allSatisfy { ($0.distance, $0.key) < ($1.distance, $1.key) })
        }
    }

    private func agree(_ left: Double, _ right: Double) -> Bool {
        let difference = abs(left - right)
        return min(difference, 360 - difference) <= ShortLine.bearingError
    }

    @Test("points a nanometre apart come in GeographicLib's order", arguments: [1e-9, 1e-8, 1e-7, 1e-6])
    func closeCalls(step: Double) {
        var random = SplitMix64(seed: 23)
        let place = at(48.1, 11.5)
        for _ in 0..<20 {
            let ring = 20_000 * random.unit()
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

    @Test("pages of quick distances join without holes or repeats")
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
