// SPDX-License-Identifier: Apache-2.0

/// The nearest-landmark index: who is near, in exact order of geodesic distance on WGS84, ties by key.
///
/// An immutable ``SpatialTree``, a bitmap of those of its points that are gone, and an overlay of the points that came.
/// It is a value with one owner at a time: change and ask it on one thread. When ``needsRebuild`` says so, take
/// ``beginRebuild()`` to any other thread, go on as before, and ``adopt(_:)`` the result: no change is lost.
public struct SpatialIndex: Sendable {
    var base: SpatialTree
    var overlay: SpatialOverlay

    /// One bit for each point of the base; set when the point is removed or replaced.
    var tombstones: [UInt64]
    var tombstoneCount = 0

    /// Points that were put in since the base was built, one that moves each time anew: each may have made boxes of the
    /// base larger, and none makes them smaller.
    private(set) var growths = 0

    /// What has changed since the last ``beginRebuild()``, or nil when no rebuild is under way.
    var journal: Set<PointKey>?

    /// Numbers the rebuilds, so that one that was overtaken is not adopted.
    var generation: UInt64 = 0

    /// An index over a tree, or over nothing.
    public init(_ tree: SpatialTree = SpatialTree(coordinates: [], keys: [])) {
        base = tree
        overlay = SpatialOverlay(leafCount: tree.leafCount)
        tombstones = [UInt64](repeating: 0, count: (tree.count + 63) / 64)
    }

    /// How many points it holds.
    public var count: Int { base.count - tombstoneCount + overlay.count }

    /// Whether it holds this key.
    public func contains(_ key: PointKey) -> Bool { self[key] != nil }

    /// Where a key's point is and what its payload is, or nil.
    public subscript(_ key: PointKey) -> (coordinate: Coordinate, payload: UInt32)? {
        if let entry = overlay.entry(of: key) { return (entry.coordinate, entry.point.payload) }
        guard let position = base.position(of: key), !isDead(position) else { return nil }
        return (base.details[position].coordinate, base.points[position].payload)
    }

    /// Puts a point in the index; a point with the same key is replaced.
    ///
    /// - Parameters:
    ///   - key: names the point, and orders it among points at equal distance.
    ///   - coordinate: where it is.
    ///   - payload: what ``Neighbour/payload`` shall say; usually a slot in the caller's array.
    public mutating func insert(_ key: PointKey, at coordinate: Coordinate, payload: UInt32) {
        if let present = self[key], present == (coordinate, payload) { return }
        remove(key)
        let point = Cartesian.packed(coordinate, payload: payload)
        overlay.insert(key, coordinate, point, leaf: base.grow(for: point))
        growths += 1
        journal?.insert(key)
    }

    /// Takes a point out.
    ///
    /// - Returns: whether there was one with this key.
    @discardableResult
    public mutating func remove(_ key: PointKey) -> Bool {
        if !overlay.remove(key) {
            guard let position = base.position(of: key), !isDead(position) else { return false }
            tombstones[position >> 6] |= 1 << UInt64(position & 63)
            tombstoneCount += 1
        }
        journal?.insert(key)
        return true
    }

    /// Whether a point of the base is removed or replaced.
    func isDead(_ position: Int) -> Bool {
        tombstones[position >> 6] >> UInt64(position & 63) & 1 == 1
    }
}

extension SpatialTree {
    /// Finds the leaf for a point that comes later, and grows the boxes on the way to it so that a search still finds
    /// it.
    mutating func grow(for point: PackedPoint) -> Int {
        let place = SIMD4<Double>(point) * SIMD4(1, 1, 1, 0)
        var node = 0
        boxes[0].include(point)
        for _ in 0..<depth {
            let (left, right) = (2 * node + 1, 2 * node + 2)
            node = boxes[left].leastChordSquared(to: place) <= boxes[right].leastChordSquared(to: place) ? left : right
            boxes[node].include(point)
        }
        return node - (leafCount - 1)
    }
}
