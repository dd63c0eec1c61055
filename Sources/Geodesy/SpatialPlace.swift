// SPDX-License-Identifier: Apache-2.0

/// A coordinate with its packed form. Packing computes four sines, so it is done once for all uses of a point.
public struct SpatialPlace: Sendable {
    public let coordinate: Coordinate
    /// The packed form, with payload 0.
    let point: PackedPoint
    let remainder: PackedRemainder

    public init(_ coordinate: Coordinate) {
        self.coordinate = coordinate
        (point, remainder) = Cartesian.packing(coordinate, payload: 0)
    }

    func point(_ payload: UInt32) -> PackedPoint {
        PackedPoint(point.x, point.y, point.z, Int32(bitPattern: payload))
    }
}
