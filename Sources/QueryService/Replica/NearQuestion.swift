// SPDX-License-Identifier: Apache-2.0

import Geodesy
internal import Landmarks
import WaymarkProtocol

/// A validated query for the nearest landmarks, with the place in the order where its page begins.
struct NearQuestion {
    var coordinate: Coordinate
    var limit: Int
    var radius: Double?
    var minDistance: Double?
    var after: (distance: Double, key: PointKey)?

    /// - Parameters:
    ///   - rows: the number of rows if the request names none.
    ///   - cursor: the cursor that the page before ended with; nil for the first page.
    init(_ fields: NearFields, standard rows: Int = 20, after cursor: Cursor? = nil) throws(InvalidInput) {
        coordinate = try Coordinate(wireLatitude: fields.lat, longitude: fields.lng)
        limit = try PageLimit.rows(fields.limit, standard: rows)
        if let metres = fields.radius { radius = try Self.metres(metres, "radius") }
        if let metres = fields.minDistance { minDistance = try Self.metres(metres, "minimum distance") }
        switch cursor {
        case .place(let last, let id): after = (Geodesic.distance(from: coordinate, to: last), PointKey(id))
        case nil: break
        default: throw .outOfRange("cursor", "one from a page by distance")
        }
    }

    private static func metres(_ value: Double, _ what: String) throws(InvalidInput) -> Double {
        guard value.isFinite, value >= 0 else { throw .outOfRange(what, "a number of metres, 0 or more") }
        return value
    }
}

/// The plain fields of a `Near` message, not yet validated.
struct NearFields: Equatable {
    var lat = 0.0
    var lng = 0.0
    var limit: UInt32 = 0
    var radius: Double?
    var minDistance: Double?
}

extension NearFields {
    init(_ wire: WireNear) {
        (lat, lng, limit) = (wire.lat, wire.lng, wire.limit)
        radius = wire.hasRadiusM ? wire.radiusM : nil
        minDistance = wire.hasMinDistanceM ? wire.minDistanceM : nil
    }

    /// Reads an encoded `Request` with a `Near` without building message objects, because this is by far the most
    /// frequent request.
    ///
    /// - Returns: nil for any other request, and for a `Near` with a filter or a cursor, which the generated code has
    ///   to read.
    init?(request: UnsafeRawBufferPointer) {
        guard let near = WireFields.only(RequestKind.near, of: request) else { return nil }
        var fields = WireFields(near)
        while let (field, value) = fields.next() {
            switch (NearField(rawValue: field), value) {
            case (.lat, .fixed64(let bits)): lat = Double(bitPattern: bits)
            case (.lng, .fixed64(let bits)): lng = Double(bitPattern: bits)
            case (.limit, .number(let number)): limit = UInt32(truncatingIfNeeded: number)
            case (.radiusM, .fixed64(let bits)): radius = Double(bitPattern: bits)
            case (.minDistanceM, .fixed64(let bits)): minDistance = Double(bitPattern: bits)
            // Some clients send an empty filter.
            case (.filter, .bytes(let filter)) where filter.isEmpty: break
            default: return nil
            }
        }
        guard fields.isWhole else { return nil }
    }
}

enum PageLimit {
    static func rows(_ asked: UInt32, standard: Int) throws(InvalidInput) -> Int {
        guard asked > 0 else { return standard }
        guard asked <= WaymarkProtocol.pageRows else { throw .outOfRange("limit", "1 to \(WaymarkProtocol.pageRows)") }
        return Int(asked)
    }
}
