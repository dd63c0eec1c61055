// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestSupport
import TestTurns
import Testing

@Suite("Polygons", .computing)
struct AreaPolygonTests {
    private typealias Corner = AreaPolygon.Corner

    private static func polygon(_ rings: [[(Int, Int)]]) throws -> AreaPolygon {
        try AreaPolygon(
            rings: rings.map { $0.map { Corner(longitude: Double($0.0), latitude: Double($0.1)) } })
    }

    /// The same by the sum of the turns around the place, in whole degrees, where nothing is rounded.
    private func plain(_ rings: [[(Int, Int)]], _ longitude: Int, _ latitude: Int) -> Bool {
        var windings = 0
        for ring in rings {
            for x in [longitude - 360, longitude, longitude + 360] {
                for (from, to) in zip(ring, ring.dropFirst() + [ring[0]]) {
                    let cross = (to.0 - from.0) * (latitude - from.1) - (x - from.0) * (to.1 - from.1)
                    if cross == 0, min(from.0, to.0)...max(from.0, to.0) ~= x,
                        min(from.1, to.1)...max(from.1, to.1) ~= latitude
                    {
                        return true
                    }
                    if from.1 <= latitude, to.1 > latitude, cross > 0 { windings += 1 }
                    if from.1 > latitude, to.1 <= latitude, cross < 0 { windings -= 1 }
                }
            }
        }
        return windings % 2 != 0
    }

    @Test("rings of all shapes, also across the 180th meridian, at every whole degree around them")
    func shapes() throws {
        var random = SplitMix64(seed: 1)
        for round in 0..<300 {
            let west = [-4, 176, -186, 173, 352, -364][round % 6]
            let rings = (0...round % 3).map { _ in
                (0..<4 + Int(random.next() % 5)).map { _ in
                    (west + Int(random.next() % 9), Int(random.next() % 9) - 4)
                }
            }
            let polygon = try Self.polygon(rings)
            for x in west - 2...west + 10 {
                for latitude in -5...5 {
                    let longitude = x - 360 * Int((Double(x) / 360).rounded())
                    let expected = plain(rings, longitude, latitude)
                    let place = try Coordinate(latitude: Double(latitude), longitude: Double(longitude))
                    #expect(polygon.contains(place) == expected, "\(rings) \(place)")
                    #expect(!expected || polygon.bounds.contains(place), "\(rings) \(place) \(polygon.bounds)")
                    if abs(longitude) == 180 {
                        let same = try Coordinate(latitude: Double(latitude), longitude: -Double(longitude))
                        #expect(polygon.contains(same) == expected)
                    }
                }
            }
        }
    }

    @Test("places that are nearer to an edge than any rounding of the determinant", arguments: [0.0, 360])
    func exact(shift: Double) throws {
        // Below the diagonal. Around 0.5 neighbouring numbers are 2⁻⁵³ apart.
        let corners = [(-12.0, -12.0), (24, 24), (24, -12)].map { Corner(longitude: $0.0 + shift, latitude: $0.1) }
        for corners in [corners, corners.reversed()] {
            let polygon = try AreaPolygon(rings: [corners])
            for i in 0..<40 {
                for j in 0..<40 {
                    let place = try Coordinate(
                        latitude: 0.5 + Double(j) * 0x1p-53, longitude: 0.5 + Double(i) * 0x1p-53)
                    // Exactly representable are the even ones from 0.5 on; what Coordinate holds is compared.
                    #expect(polygon.contains(place) == (place.latitude <= place.longitude), "\(i) \(j)")
                }
            }
        }
    }

    @Test("the corners and the middles of the edges belong to the polygon")
    func edges() throws {
        var random = SplitMix64(seed: 2)
        for _ in 0..<200 {
            let corners = (0..<3 + Int(random.next() % 5)).map { _ in
                Corner(longitude: 360 * random.unit() - 180, latitude: 180 * random.unit() - 90)
            }
            let polygon = try AreaPolygon(rings: [corners])
            for corner in corners {
                #expect(polygon.contains(try Coordinate(latitude: corner.latitude, longitude: corner.longitude)))
            }
        }
        let square = try Self.polygon([[(-10, -10), (10, -10), (10, 10), (-10, 10)]])
        for (latitude, longitude) in [(10.0, 3.3), (-10, 3.3), (3.3, 10), (3.3, -10)] {
            #expect(square.contains(try Coordinate(latitude: latitude, longitude: longitude)))
            let beyond = try Coordinate(
                latitude: abs(latitude) == 10 ? latitude * (1 + 0x1p-52) : latitude,
                longitude: abs(longitude) == 10 ? longitude * (1 + 0x1p-52) : longitude)
            #expect(!square.contains(beyond))
        }
    }

    @Test("a ring across the 180th meridian is the same cut in two, and its box is as narrow")
    func meridian() throws {
        let whole = try Self.polygon([
            [(170, -10), (190, -10), (190, 10), (170, 10)], [(175, -5), (185, -5), (185, 5), (175, 5)],
        ])
        let cut = try Self.polygon([
            [(170, -10), (180, -10), (180, 10), (170, 10)], [(-180, -10), (-170, -10), (-170, 10), (-180, 10)],
            [(175, -5), (180, -5), (180, 5), (175, 5)], [(-180, -5), (-175, -5), (-175, 5), (-180, 5)],
        ])
        for longitude in stride(from: -180.0, through: 180, by: 2.5) where abs(longitude) != 180 {
            for latitude in [-11.0, -10, -7, -5, 0, 5, 10] {
                let place = try Coordinate(latitude: latitude, longitude: longitude)
                let distance = 180 - abs(longitude)
                let expected =
                    distance <= 10 && abs(latitude) <= 10 && (distance >= 5 || abs(latitude) >= 5)
                #expect(whole.contains(place) == expected, "\(place)")
                #expect(cut.contains(place) == expected, "\(place)")
            }
        }
        for polygon in [whole, cut] {
            #expect(polygon.bounds == (try AreaBox(south: -10, west: 170, north: 10, east: -170)))
        }
    }

    @Test("an area along a pole's parallel contains the pole, whatever its longitude")
    func poles() throws {
        let antarctica = try Self.polygon([[(-180, -90), (180, -90), (180, -70), (60, -65), (-180, -70)]])
        for longitude in [-180.0, -33, 0, 90, 180] {
            #expect(antarctica.contains(try Coordinate(latitude: -90, longitude: longitude)))
            #expect(antarctica.contains(try Coordinate(latitude: -80, longitude: longitude)))
            #expect(!antarctica.contains(try Coordinate(latitude: -60, longitude: longitude)))
            #expect(!antarctica.contains(try Coordinate(latitude: 90, longitude: longitude)))
        }
        // A wedge that ends in the pole.
        let wedge = try Self.polygon([[(10, 60), (20, 60), (20, 90), (10, 90)]])
        #expect(wedge.contains(try Coordinate(latitude: 90, longitude: -120)))
        #expect(wedge.contains(try Coordinate(latitude: 89, longitude: 15)))
        #expect(!wedge.contains(try Coordinate(latitude: 89, longitude: -120)))
        let near = try Self.polygon([[(10, 60), (20, 60), (20, 89)]])
        #expect(!near.contains(try Coordinate(latitude: 90, longitude: 20)))
    }

    @Test("what is no polygon is refused")
    func refused() {
        let number = InvalidInput.outOfRange("polygon", "of at least one ring, and at most 1,000 corners")
        let corners = InvalidInput.outOfRange("ring of the polygon", "of at least 3 corners")
        let degrees = InvalidInput.outOfRange("polygon", "in degrees: latitudes within ±90, longitudes within ±540")
        let width = InvalidInput.outOfRange("ring of the polygon", "at most 360 degrees wide")
        let most = InvalidInput.outOfRange("polygon", "of at most 1,000 corners")
        let cases: [([[(Double, Double)]], InvalidInput)] = [
            ([], number), ([[]], corners), ([[(0, 0), (1, 1)]], corners), ([[(0, 0), (1, 1), (0, 0)]], corners),
            ([[(0, 0), (1, 0), (1, 91)]], degrees), ([[(0, 0), (541, 0), (541, 1)]], degrees),
            ([[(-181, 0), (180, 0), (0, 1)]], width), ([[(0, 0), (1, 0), (.nan, 1)]], degrees),
            ([[(0, 0), (.infinity, 0), (0, 1)]], degrees),
            ([(0...1_000).map { (Double($0) / 10, Double($0 % 2)) }], most),
            (Array(repeating: [(0, 0), (1, 0), (1, 1), (0, 0)], count: 400), number),
        ]
        for (rings, refusal) in cases {
            #expect(throws: refusal, "\(rings.prefix(2))") {
                try AreaPolygon(rings: rings.map { $0.map { Corner(longitude: $0.0, latitude: $0.1) } })
            }
        }
    }
}
