// SPDX-License-Identifier: Apache-2.0

/// The values of a point that a search reads only for points that may be in the answer. They are stored together
/// because this memory is usually not in the cache: one cache miss instead of three.
struct PointDetail: Sendable {
    /// The original coordinate; exact distances are computed from it.
    var coordinate: Coordinate
    var key: PointKey
    /// The remainder that packing rounded away.
    var remainder: PackedRemainder
}

extension PointDetail {
    init(_ place: SpatialPlace, _ key: PointKey) {
        self.init(coordinate: place.coordinate, key: key, remainder: place.remainder)
    }
}
