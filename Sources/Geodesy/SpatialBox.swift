// SPDX-License-Identifier: Apache-2.0

/// The smallest axis-aligned box that contains the points of a tree's node. Its corners are in units of 1/256 m.
///
/// The corners are six scalars, because two vectors would take 32 bytes for each node instead of 24.
struct SpatialBox: Sendable {
    private var lowX, lowY, lowZ: Int32
    private var highX, highY, highZ: Int32

    /// A box that contains no point and is farther away than every distance.
    static let empty = SpatialBox(low: SIMD4(repeating: .max), high: SIMD4(repeating: .min))

    @inline(__always)
    init(low: PackedPoint, high: PackedPoint) {
        (lowX, lowY, lowZ) = (low.x, low.y, low.z)
        (highX, highY, highZ) = (high.x, high.y, high.z)
    }

    /// The corner with the least x, y and z.
    @inline(__always)
    var low: PackedPoint { PackedPoint(lowX, lowY, lowZ, 0) }

    /// The corner with the greatest x, y and z.
    @inline(__always)
    var high: PackedPoint { PackedPoint(highX, highY, highZ, 0) }

    /// Extends the box, if necessary, so that it contains the point.
    mutating func include(_ point: PackedPoint) {
        self = SpatialBox(low: pointwiseMin(low, point), high: pointwiseMax(high, point))
    }

    /// Returns the square of the distance from a place to the nearest point of the box.
    @inline(__always)
    func leastChordSquared(to query: SIMD4<Double>) -> Double {
        // Each lane is computed by itself, because the standard library's pointwiseMax is not inlined.
        let x = max(max(Double(lowX) - query.x, query.x - Double(highX)), 0)
        let y = max(max(Double(lowY) - query.y, query.y - Double(highY)), 0)
        let z = max(max(Double(lowZ) - query.z, query.z - Double(highZ)), 0)
        return x * x + y * y + z * z
    }

    /// Returns the square of the distance from a place to the farthest point of the box.
    @inline(__always)
    func greatestChordSquared(to query: SIMD4<Double>) -> Double {
        let x = max(query.x - Double(lowX), Double(highX) - query.x)
        let y = max(query.y - Double(lowY), Double(highY) - query.y)
        let z = max(query.z - Double(lowZ), Double(highZ) - query.z)
        return x * x + y * y + z * z
    }
}
