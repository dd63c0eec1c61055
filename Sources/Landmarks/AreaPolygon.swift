// SPDX-License-Identifier: Apache-2.0

public import Geodesy

/// An area within rings, edges included, as in RFC 7946: an edge is a straight line in longitude and latitude, neither
/// a geodesic nor a loxodrome. A place is inside if it is within an odd number of rings. So a ring within another ring
/// is a hole.
///
/// A ring that crosses the 180th meridian is either divided there into two rings (as RFC 7946 recommends), or continues
/// beyond ±180. An area that contains a pole has an edge along the pole's parallel (latitude ±90), as on a flat map.
public struct AreaPolygon: Hashable, Sendable {
    /// A corner, in degrees. Its longitude may be beyond ±180.
    public struct Corner: Hashable, Sendable {
        public let longitude: Double
        public let latitude: Double

        public init(longitude: Double, latitude: Double) {
            // -0 becomes 0, so that equal polygons have equal encodings.
            (self.longitude, self.latitude) = (longitude + 0.0, latitude + 0.0)
        }
    }

    /// The maximum number of corners of all rings together.
    public static let mostCorners = 1_000
    /// The greatest longitude in degrees. A ring that begins within ±180 and goes once around the earth stays below it.
    static let greatestLongitude = 540.0

    /// The rings, each with at least three corners. The first corner is not repeated at the end.
    public let rings: [[Corner]]
    /// A box that contains the area.
    public let bounds: AreaBox

    /// - Parameter rings: the rings. The first corner may be repeated at the end.
    /// - Throws: ``InvalidInput/outOfRange(_:_:)`` if the rings are no polygon, or too large a polygon.
    public init(rings: [[Corner]]) throws(InvalidInput) {
        guard rings.reduce(0, { $0 + $1.count }) <= Self.mostCorners + rings.count, !rings.isEmpty else {
            throw .outOfRange("polygon", "of at least one ring, and at most 1,000 corners")
        }
        var open: [[Corner]] = []
        for ring in rings {
            let corners = ring.count > 1 && ring.first == ring.last ? Array(ring.dropLast()) : ring
            guard corners.count >= 3 else { throw .outOfRange("ring of the polygon", "of at least 3 corners") }
            guard corners.allSatisfy({ abs($0.latitude) <= 90 && abs($0.longitude) <= Self.greatestLongitude }) else {
                throw .outOfRange("polygon", "in degrees: latitudes within ±90, longitudes within ±540")
            }
            let longitudes = corners.map(\.longitude)
            guard let west = longitudes.min(), let east = longitudes.max(), east - west <= 360 else {
                throw .outOfRange("ring of the polygon", "at most 360 degrees wide")
            }
            open.append(corners)
        }
        guard open.reduce(0, { $0 + $1.count }) <= Self.mostCorners else {
            throw .outOfRange("polygon", "of at most 1,000 corners")
        }
        self.rings = open
        bounds = try Self.bounds(of: open)
    }

    public func contains(_ coordinate: Coordinate) -> Bool {
        // The box contains longitudes 180 and -180 alike, and a pole at every longitude.
        guard bounds.contains(coordinate) else { return false }
        if abs(coordinate.latitude) == 90 {
            return rings.contains { $0.contains { $0.latitude == coordinate.latitude } }
        }
        var isInside = false
        for ring in rings {
            for turns in -1...1 {
                switch Self.crossings(of: ring, turns: Double(turns) * 360, coordinate) {
                case .onEdge: return true
                case .odd: isInside.toggle()
                case .even: break
                }
            }
        }
        return isInside
    }

    private enum Crossings { case onEdge, odd, even }

    /// Counts the edges that cross the parallel of the place east of it. `turns` is added to the place's longitude.
    private static func crossings(of ring: [Corner], turns: Double, _ place: Coordinate) -> Crossings {
        let latitude = place.latitude
        var isOdd = false
        var from = ring[ring.count - 1]
        for to in ring {
            defer { from = to }
            let isUpward = from.latitude <= latitude && to.latitude > latitude
            let isDownward = from.latitude > latitude && to.latitude <= latitude
            if isUpward || isDownward {
                let side = Orientation.sign(from, to, place.longitude, turns, latitude)
                if side == 0 { return .onEdge }
                if isUpward == (side > 0) { isOdd.toggle() }
                continue
            }
            // Reached if the place is at the latitude of one of the edge's ends, or if the edge lies on the parallel.
            guard from.latitude == latitude || to.latitude == latitude else { continue }
            let west = Orientation.sign(of: from.longitude, minus: place.longitude, turns)
            let east = Orientation.sign(of: to.longitude, minus: place.longitude, turns)
            if from.latitude == latitude, west == 0 { return .onEdge }
            if to.latitude == latitude, east == 0 { return .onEdge }
            if from.latitude == to.latitude, west != east { return .onEdge }
        }
        return isOdd ? .odd : .even
    }

    // MARK: Bounds

    private static func bounds(of rings: [[Corner]]) throws(InvalidInput) -> AreaBox {
        let corners = rings.joined()
        let south = corners.map(\.latitude).min() ?? 0
        let north = corners.map(\.latitude).max() ?? 0
        // The intervals of longitude that the rings cover, each within ±180.
        var covered: [(west: Double, east: Double)] = []
        for ring in rings {
            let longitudes = ring.map(\.longitude)
            guard let first = longitudes.min(), let last = longitudes.max(), last - first < 360 else {
                return try AreaBox(south: south, west: -180, north: north, east: 180)
            }
            let (west, east) = (turned(first), turned(last))
            covered += west <= east && last - first < 359 ? [(west, east)] : [(west, 180), (-180, east)]
        }
        covered.sort { $0.west < $1.west }
        var merged: [(west: Double, east: Double)] = []
        for interval in covered {
            if let last = merged.last, interval.west <= last.east {
                merged[merged.count - 1].east = max(last.east, interval.east)
            } else {
                merged.append(interval)
            }
        }
        // A pole has every longitude.
        guard south > -90, north < 90, merged[0].west > -180 || merged[merged.count - 1].east < 180 || merged.count > 1
        else { return try AreaBox(south: south, west: -180, north: north, east: 180) }
        // All longitudes except the widest gap between two intervals.
        var box = (west: merged[0].west, east: merged[merged.count - 1].east)
        var widest = box.west + 360 - box.east
        for (left, right) in zip(merged, merged.dropFirst()) where right.west - left.east > widest {
            (box, widest) = ((right.west, left.east), right.west - left.east)
        }
        return try AreaBox(south: south, west: box.west, north: north, east: box.east)
    }

    /// Returns the longitude within ±180. The result is exact, because IEEE's remainder is not rounded.
    private static func turned(_ longitude: Double) -> Double {
        abs(longitude) <= 180 ? longitude : longitude.remainder(dividingBy: 360)
    }
}
