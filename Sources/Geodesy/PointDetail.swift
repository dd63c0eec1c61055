// SPDX-License-Identifier: Apache-2.0

/// The values of a point that a search reads only if the point may be in the answer. This memory is usually not in the
/// processor's cache, so they are stored together: one cache miss instead of three.
struct PointDetail: Sendable {
    /// The coordinate as it was given. Exact distances are computed from it.
    var coordinate: Coordinate
    var key: PointKey
    /// The remainder that was lost in packing.
    var remainder: PackedRemainder
}

extension PointDetail {
    init(_ place: SpatialPlace, _ key: PointKey) {
        self.init(coordinate: place.coordinate, key: key, remainder: place.remainder)
    }
}
