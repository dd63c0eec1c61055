// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import TestTurns
import Testing

@testable import Geodesy

@Suite("Chord bounds", .computing)
struct ChordBoundsTests {
    /// Allowance for GeographicLib's error and the rounding of two positions, in metres.
    static let rounding = 1e-7

    enum Pairs: String, CaseIterable, Sendable { case anywhere, near, antipodal, meridian, equator, poles }

    private func pair(_ pairs: Pairs, _ random: inout SplitMix64) -> (Coordinate, Coordinate) {
        let start = random.anywhere()
        // From a micrometre to half-way round the earth, each power of ten with the same probability.
        let far = pow(10, random.unit() * 13.3 - 6)
        switch pairs {
        case .anywhere: return (start, random.anywhere())
        case .near: return (start, Geodesic.destination(from: start, bearing: 360 * random.unit(), distance: far))
        case .antipodal:
            let opposite = at(-start.latitude, start.longitude + 180)
            return (start, random.near(opposite, spread: 2 * pow(10, -4 * random.unit())))
        case .meridian: return (start, at(180 * random.unit() - 90, start.longitude + (far > 1 ? 0 : 180)))
        case .equator: return (at(0, 0), at(0, 360 * random.unit() - 180))
        case .poles: return (at(random.next() & 1 == 0 ? 90 : -90, 0), start)
        }
    }

    @Test("no pair of points violates a bound", arguments: Pairs.allCases)
    func hold(pairs: Pairs) {
        var random = SplitMix64(seed: 2)
        var broken = 0
        for _ in 0..<100_000 {
            let (start, end) = pair(pairs, &random)
            let geodesic = Geodesic.distance(from: start, to: end)
            let difference = Cartesian.position(of: start) - Cartesian.position(of: end)
            let chord = (difference * difference).sum().squareRoot()
            let held =
                chord <= ChordBounds.longestChord(within: geodesic) + Self.rounding
                && chord >= ChordBounds.shortestChord(beyond: geodesic) - Self.rounding
                && geodesic <= ChordBounds.longestGeodesic(over: chord + Self.rounding)
            if !held { broken += 1 }
        }
        #expect(broken == 0)
    }

    @Test("they grow with their argument")
    func grow() {
        var last = (0.0, 0.0, 0.0, 0.0)
        for metres in stride(from: 0.0, through: 21_000_000, by: 1_000) {
            let next = (
                ChordBounds.longestChord(within: metres), ChordBounds.shortestChord(beyond: metres),
                ChordBounds.longestGeodesic(over: metres), ChordBounds.rivalChord(of: metres)
            )
            #expect(next.0 >= last.0 && next.1 >= last.1 && next.2 >= last.2 && next.3 >= last.3, "\(metres)")
            #expect(next.1 <= next.0)
            last = next
        }
    }

    @Test("the polynomial for rivals is slightly above the exact bound")
    func rivals() {
        for chord in stride(from: 0.0, through: 1_000_000, by: 100) {
            let slack = Cartesian.slack
            let precise = ChordBounds.longestChord(within: ChordBounds.longestGeodesic(over: chord + slack)) + slack
            #expect(ChordBounds.rivalChord(of: chord) >= precise)
            #expect(ChordBounds.rivalChord(of: chord) <= precise + 0.001 + (precise - chord) * 0.1)
        }
    }

    @Test("infinite bounds, and bounds beyond the far side of the earth")
    func extremes() {
        #expect(ChordBounds.longestChord(within: .infinity) >= 2 * Ellipsoid.a)
        #expect(ChordBounds.shortestChord(beyond: .infinity) <= 2 * Ellipsoid.a)
        #expect(ChordBounds.longestChord(within: 0) == 0)
        #expect(ChordBounds.shortestChord(beyond: 0) == 0)
    }

    @Test("packed points are within the slack")
    func packing() {
        var random = SplitMix64(seed: 3)
        var worst = 0.0
        for _ in 0..<50_000 {
            let place = random.anywhere()
            let packed = SIMD4<Double>(Cartesian.packing(place, payload: 0).point) / Cartesian.unitsPerMetre
            let difference = packed - Cartesian.position(of: place)
            worst = max(worst, (difference * difference).sum().squareRoot())
        }
        #expect(worst < 0.0034)
        #expect(Cartesian.position(of: at(90, 77)).x == 0)
        #expect(Cartesian.position(of: at(10, 180)) == Cartesian.position(of: at(10, -180)))
    }
}
