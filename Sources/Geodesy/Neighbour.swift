// SPDX-License-Identifier: Apache-2.0

/// One row of an answer that lists the nearest points.
public struct Neighbour: Hashable, Sendable {
    /// The key of the point.
    public let key: PointKey

    /// The value that the caller stored with the point: usually its slot in an array of the caller.
    public let payload: UInt32

    /// The coordinate of the point.
    public let coordinate: Coordinate

    /// The geodesic distance on WGS84 from the queried place to the point, in metres.
    public let distance: Double

    /// The direction in which the geodesic leaves the queried place, in degrees clockwise from north, in [0, 360).
    public let bearing: Double

    /// Makes a row from its parts.
    public init(key: PointKey, payload: UInt32, coordinate: Coordinate, distance: Double, bearing: Double) {
        self.key = key
        self.payload = payload
        self.coordinate = coordinate
        self.distance = distance
        self.bearing = bearing
    }
}
