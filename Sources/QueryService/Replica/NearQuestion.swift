// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import SwiftProtobuf
import WaymarkProtocol

/// What is near, and from where on: checked.
struct NearQuestion {
    var coordinate: Coordinate
    var limit: Int
    var radius: Double?
    var minDistance: Double?
    var after: (distance: Double, key: PointKey)?

    init(_ wire: WireNear) throws(InvalidInput) {
        coordinate = try Coordinate(wireLatitude: wire.lat, longitude: wire.lng)
        limit = try PageLimit.rows(wire.limit, standard: 20)
        radius = wire.hasRadiusM ? try Self.metres(wire.radiusM, "radius") : nil
        minDistance = wire.hasMinDistanceM ? try Self.metres(wire.minDistanceM, "minimum distance") : nil
        if !wire.after.isEmpty {
            guard case .distance(let metres, let id) = try Cursor(encoded: wire.after) else {
                throw .outOfRange("cursor", "one that a page by distance gave")
            }
            after = (metres, PointKey(id))
        }
    }

    init(_ wire: WireList) throws(InvalidInput) {
        try self.init(
            WireNear.with {
                $0.lat = wire.lat
                $0.lng = wire.lng
                $0.limit = wire.limit == 0 ? 100 : wire.limit
                $0.after = wire.after
            })
    }

    private static func metres(_ value: Double, _ what: String) throws(InvalidInput) -> Double {
        guard value.isFinite, value >= 0 else { throw .outOfRange(what, "a number of metres, 0 or more") }
        return value
    }
}

enum PageLimit {
    static func rows(_ asked: UInt32, standard: Int) throws(InvalidInput) -> Int {
        guard asked > 0 else { return standard }
        guard asked <= WaymarkProtocol.pageRows else { throw .outOfRange("limit", "1 to \(WaymarkProtocol.pageRows)") }
        return Int(asked)
    }
}
