// SPDX-License-Identifier: Apache-2.0

/// One row of an answer to "what is near".
public struct Neighbour: Hashable, Sendable {
    /// The key of the point.
    public let key: PointKey

    /// What the caller gave with the point: usually its slot in an array of the caller's.
    public let payload: UInt32

    /// The geodesic distance on WGS84 from the place asked about to the point, in metres.
    public let distance: Double

    /// The direction in which the geodesic leaves the place asked about, in degrees clockwise from north, in [0, 360).
    public let bearing: Double

    /// Makes a row of its parts.
    public init(key: PointKey, payload: UInt32, distance: Double, bearing: Double) {
        self.key = key
        self.payload = payload
        self.distance = distance
        self.bearing = bearing
    }
}
