// SPDX-License-Identifier: Apache-2.0

/// The position of a coordinate in space, accurate to 4 mm, in twelve bytes. It is accurate enough to exclude points
/// that are too far away before measuring their distances. See ``NearestFew``.
public struct SurfacePoint: Hashable, Sendable {
    private let x, y, z: Int32

    public init(_ place: SpatialPlace) {
        (x, y, z) = (place.point.x, place.point.y, place.point.z)
    }

    @inline(__always)
    var packed: PackedPoint { PackedPoint(x, y, z, 0) }
}
