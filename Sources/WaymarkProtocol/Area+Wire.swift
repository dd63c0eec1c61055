// SPDX-License-Identifier: Apache-2.0

import Geodesy
internal import Landmarks

extension Area {
    init(_ wire: WireCircle) throws(InvalidInput) {
        let centre = try Coordinate(wireLatitude: wire.lat, longitude: wire.lng)
        self = try .circle(at: centre, radius: wire.radiusM)
    }

    init(_ wire: WireBox) throws(InvalidInput) {
        self = .box(try AreaBox(south: wire.south, west: wire.west, north: wire.north, east: wire.east))
    }

    init(_ wire: WirePolygon) throws(InvalidInput) {
        var rings: [[AreaPolygon.Corner]] = []
        for ring in wire.rings {
            guard ring.degrees.count.isMultiple(of: 2) else { throw .missing("the last latitude of a ring") }
            rings.append(
                stride(from: 0, to: ring.degrees.count, by: 2).map {
                    AreaPolygon.Corner(longitude: ring.degrees[$0], latitude: ring.degrees[$0 + 1])
                })
        }
        self = .polygon(try AreaPolygon(rings: rings))
    }
}

extension WireCircle {
    init(_ centre: Coordinate, radius: Double) {
        self.init()
        (lat, lng, radiusM) = (centre.latitude, centre.longitude, radius)
    }
}

extension WireBox {
    init(_ box: AreaBox) {
        self.init()
        (south, west, north, east) = (box.south, box.west, box.north, box.east)
    }
}

extension WirePolygon {
    init(_ polygon: AreaPolygon) {
        self.init()
        rings = polygon.rings.map { ring in
            .with { $0.degrees = ring.flatMap { [$0.longitude, $0.latitude] } }
        }
    }
}
