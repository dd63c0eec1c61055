// SPDX-License-Identifier: Apache-2.0

@testable import Geodesy

/// The simplest index: measure everything, sort, cut.
struct BruteForce {
    struct Point { var coordinate: Coordinate, payload: UInt32 }

    private(set) var points: [PointKey: Point] = [:]

    mutating func insert(_ key: PointKey, at coordinate: Coordinate, payload: UInt32) {
        points[key] = Point(coordinate: coordinate, payload: payload)
    }

    mutating func remove(_ key: PointKey) -> Bool { points.removeValue(forKey: key) != nil }

    func nearest(
        to place: Coordinate, limit: Int, maxDistance: Double? = nil, minDistance: Double? = nil,
        after: (distance: Double, key: PointKey)? = nil, where accept: (UInt32) -> Bool = { _ in true }
    ) -> [Neighbour] {
        var rows: [Neighbour] = []
        for (key, point) in points where accept(point.payload) {
            let (distance, bearing) = Geodesic.inverse(from: place, to: point.coordinate)
            if let maxDistance, distance > maxDistance { continue }
            if let minDistance, distance < minDistance { continue }
            if let after, (distance, key) <= after { continue }
            rows.append(
                Neighbour(
                    key: key, payload: point.payload, coordinate: point.coordinate, distance: distance, bearing: bearing
                ))
        }
        rows.sort { ($0.distance, $0.key) < ($1.distance, $1.key) }
        return Array(rows.prefix(limit))
    }
}

extension SpatialTree {
    /// A tree of points with distinct keys. Their payloads are their indices, if no others are given.
    init(coordinates: [Coordinate], keys: [PointKey], payloads: [UInt32]? = nil) {
        let places = coordinates.map { SpatialPlace($0) }
        self.init(
            packed: places.indices.map { places[$0].point(payloads?[$0] ?? UInt32($0)) },
            details: places.indices.map { PointDetail(places[$0], keys[$0]) })
    }
}

extension SpatialIndex {
    mutating func insert(_ key: PointKey, at coordinate: Coordinate, payload: UInt32) {
        insert(key, at: SpatialPlace(coordinate), payload: payload)
    }

    init(_ brute: BruteForce) {
        let points = brute.points.sorted { $0.key < $1.key }
        self.init(
            SpatialTree(
                coordinates: points.map(\.value.coordinate), keys: points.map(\.key),
                payloads: points.map(\.value.payload)))
    }
}
