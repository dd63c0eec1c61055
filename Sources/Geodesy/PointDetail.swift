// SPDX-License-Identifier: Apache-2.0

/// What a search needs only of the points that may be in the answer. Together, because each of them lies in memory that
/// is cold: one look there instead of three.
struct PointDetail: Sendable {
    /// As given: what the exact distance is computed from.
    var coordinate: Coordinate
    var key: PointKey
    /// What packing rounded away.
    var remainder: PackedRemainder
}
