// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestSupport
import TestTurns
import Testing

@Suite("What is certainly within a region", .computing)
struct RegionTests {
    /// Makes random regions, and places in them.
    private struct Maker {
        private var random: SplitMix64

        init(_ seed: UInt64) { random = SplitMix64(seed: seed) }

        mutating func unit() -> Double { random.unit() }

        private static func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
            try Coordinate(latitude: max(-90, min(90, latitude)), longitude: longitude.remainder(dividingBy: 360))
        }

        /// Regions of all sizes, from a hundred metres to half the earth, also at the poles and at the 180th meridian.
        mutating func region(_ round: Int) throws -> Area {
            let size = [0.001, 0.1, 1, 10, 60, 170][round / 3 % 6]
            let (south, west) = (180 * random.unit() - 90, round % 2 == 0 ? 360 * random.unit() - 180 : 179.9)
            let north = min(90, south + size * (0.3 + random.unit()))
            let east = (west + size * (0.3 + random.unit())).remainder(dividingBy: 360)
            switch round % 3 {
            case 0: return .circle(try Self.place(south, west), radius: min(19_000_000, size * 110_000))
            case 1: return .box(try AreaBox(south: round % 5 == 0 ? -90 : south, west: west, north: north, east: east))
            default:
                let corners = 3 + Int(random.next() % 20)
                let (middle, width) = (Double(200) * random.unit() - 100, size * random.unit())
                let ring = (0..<corners).map { corner in
                    let turn = Double(corner) / Double(corners)
                    let far = 0.4 + 0.6 * random.unit()
                    // A star around its middle.
                    let (x, y) = (Self.wave(turn + 0.25) * far, Self.wave(turn) * far)
                    return AreaPolygon.Corner(
                        longitude: middle + 50 + width * x,
                        latitude: max(-90, min(90, (south + north) / 2 + size / 2 * y)))
                }
                return .polygon(try AreaPolygon(rings: [ring]))
            }
        }

        /// A triangle wave, as good as a sine here.
        private static func wave(_ turn: Double) -> Double { 4 * abs((turn - 0.25).remainder(dividingBy: 1)) - 1 }

        /// A place in the area, if one is found.
        mutating func place(in area: Area) throws -> Coordinate? {
            let box = area.bounds
            let width = box.west <= box.east ? box.east - box.west : box.east + 360 - box.west
            for _ in 0..<50 {
                let place = try Self.place(
                    box.south + (box.north - box.south) * random.unit(), box.west + width * random.unit())
                if area.contains(place) { return place }
            }
            return nil
        }
    }

    @Test("every place nearer than the margin is inside; just beyond it there is one outside")
    func margins() throws {
        var maker = Maker(21)
        var (positive, sharp, blunt) = (0, 0, 0)
        for round in 0..<360 {
            let area = try maker.region(round)
            let region = Region(area)
            for _ in 0..<12 {
                guard let place = try maker.place(in: area) else { continue }
                let margin = region.margin(at: place)
                guard margin > 0 else { continue }
                positive += 1
                let (most, few) = (min(margin, 20_000_000), 72)
                for step in 0..<few {
                    let azimuth = Double(step) * 5 + maker.unit()
                    let near = Geodesic.destination(
                        from: place, bearing: azimuth, distance: most * (1 - 1e-9) * maker.unit())
                    #expect(area.contains(near), "\(area) \(place) \(margin)")
                    let edge = Geodesic.destination(from: place, bearing: azimuth, distance: most * (1 - 1e-9))
                    #expect(area.contains(edge), "\(area) \(place) \(margin)")
                }
                guard margin < 3_000_000 else { continue }
                let beyond = (0..<720).contains { step in
                    !area.contains(
                        Geodesic.destination(from: place, bearing: Double(step) / 2, distance: margin * 1.1 + 5))
                }
                if beyond { sharp += 1 } else { blunt += 1 }
            }
        }
        print("margins: \(positive) positive; \(sharp) of \(sharp + blunt) end within a tenth of the true edge")
        #expect(positive > 1_500 && sharp > 9 * blunt)
    }

    @Test("an area that is said to be within is; a small one well inside is said to be")
    func areas() throws {
        var maker = Maker(22)
        var (held, small) = (0, 0)
        for round in 0..<600 {
            let area = try maker.region(round)
            let region = Region(area)
            #expect(region.holds(area))
            guard let place = try maker.place(in: area) else { continue }
            let margin = region.margin(at: place)
            if margin > 10, margin < 5_000_000 {
                small += 1
                #expect(region.holds(.circle(place, radius: margin / 2)))
                let half = margin / 111_700 / 3
                if abs(place.latitude) < 60, abs(place.longitude) < 170 {
                    let box = try AreaBox(
                        south: place.latitude - half, west: place.longitude - half, north: place.latitude + half,
                        east: place.longitude + half)
                    #expect(region.holds(.box(box)), "\(area) \(box)")
                }
            }
            for other in 0..<3 {
                let other = try maker.region(round + other * 7)
                guard region.holds(other) else { continue }
                held += 1
                for _ in 0..<100 {
                    guard let inside = try maker.place(in: other) else { break }
                    #expect(area.contains(inside), "\(area) \(other) \(inside)")
                }
            }
        }
        print("areas: \(small) small ones, \(held) others held")
        #expect(small > 200 && held > 5)
    }

    @Test("the whole earth has no edge; the 180th meridian is none inside of a box")
    func seams() throws {
        let whole = Region(.box(try AreaBox(south: -90, west: -180, north: 90, east: 180)))
        #expect(whole.margin(at: try Coordinate(latitude: 90, longitude: 3)) == .infinity)
        #expect(whole.holds(.box(try AreaBox(south: -90, west: 170, north: 90, east: -170))))
        let fiji = Region(.box(try AreaBox(south: -25, west: 170, north: -10, east: -170)))
        let margin = fiji.margin(at: try Coordinate(latitude: -17, longitude: 180))
        #expect(margin > 770_000 && margin < 775_000)
        #expect(fiji.holds(.box(try AreaBox(south: -20, west: 175, north: -15, east: -175))))
        #expect(!fiji.holds(.box(try AreaBox(south: -20, west: -175, north: -15, east: 175))))
    }
}
