// SPDX-License-Identifier: Apache-2.0

/// An index that finds the nearest points, in exact order of geodesic distance on WGS84; ties are ordered by key.
///
/// The index consists of an immutable ``SpatialTree``, a bitmap of the tree's removed points, and an overlay of added
/// points. It is a value with one owner: change and query it on one thread. When ``needsRebuild`` is true, run the
/// result of ``beginRebuild()`` on any other thread, keep using the index meanwhile, then ``adopt(_:)`` the result. No
/// change is lost.
public struct SpatialIndex: Sendable {
    var base: SpatialTree
    var overlay: SpatialOverlay

    /// One bit for each point of the base; set when the point is removed or replaced.
    var tombstones: [UInt64]
    var tombstoneCount = 0

    /// The number of insertions since the base was built; a point that moves counts each time. Each insertion may have
    /// enlarged boxes of the base, and nothing shrinks them before the next rebuild.
    private(set) var growths = 0

    /// The keys that changed since the last ``beginRebuild()``; nil when no rebuild is under way.
    var journal: Set<PointKey>?

    /// The number of the current rebuild, so that a superseded one is not adopted.
    var generation: UInt64 = 0

    /// Makes an index over a tree; by default over an empty one.
    public init(_ tree: SpatialTree = SpatialTree(coordinates: [], keys: [])) {
        base = tree
        overlay = SpatialOverlay(leafCount: tree.leafCount)
        tombstones = [UInt64](repeating: 0, count: (tree.count + 63) / 64)
    }

    /// The number of points.
    public var count: Int { base.count - tombstoneCount + overlay.count }

    /// Whether the index holds this key.
    public func contains(_ key: PointKey) -> Bool { self[key] != nil }

    /// The coordinate and payload of a key's point, or nil.
    public subscript(_ key: PointKey) -> (coordinate: Coordinate, payload: UInt32)? {
        spot(of: key).map(value(at:))
    }

    /// The place of a key's point in memory.
    private enum Spot {
        /// A position in the base.
        case base(Int)
        /// An entry of the overlay.
        case overlay(Int)
    }

    private func spot(of key: PointKey) -> Spot? {
        if let place = overlay.place(of: key) { return .overlay(place) }
        guard let position = base.position(of: key), !isDead(position) else { return nil }
        return .base(position)
    }

    private func value(at spot: Spot) -> (coordinate: Coordinate, payload: UInt32) {
        switch spot {
        case .overlay(let place): (overlay.entries[place].detail.coordinate, overlay.entries[place].point.payload)
        case .base(let position): (base.details[position].coordinate, base.points[position].payload)
        }
    }

    /// Inserts a point. A point with the same key is replaced.
    ///
    /// - Parameters:
    ///   - key: names the point, and orders it among points at equal distance.
    ///   - coordinate: the position of the point.
    ///   - payload: the value of ``Neighbour/payload``; usually a slot in the caller's array.
    public mutating func insert(_ key: PointKey, at coordinate: Coordinate, payload: UInt32) {
        insert(key, at: SpatialPlace(coordinate), payload: payload)
    }

    /// Inserts a point for a caller that also needs the packed form.
    public mutating func insert(_ key: PointKey, at place: SpatialPlace, payload: UInt32) {
        let point = place.point(payload)
        if let spot = spot(of: key) {
            if value(at: spot) == (place.coordinate, payload) { return }
            vacate(spot)
        }
        overlay.insert(key, place, point, leaf: base.grow(for: point))
        growths += 1
        journal?.insert(key)
    }

    /// Removes a point.
    ///
    /// - Returns: whether the index held this key.
    @discardableResult
    public mutating func remove(_ key: PointKey) -> Bool {
        guard let spot = spot(of: key) else { return false }
        vacate(spot)
        journal?.insert(key)
        return true
    }

    private mutating func vacate(_ spot: Spot) {
        switch spot {
        case .overlay(let place): overlay.remove(at: place)
        case .base(let position):
            tombstones[position >> 6] |= 1 << UInt64(position & 63)
            tombstoneCount += 1
        }
    }

    /// Whether a point of the base is removed or replaced.
    func isDead(_ position: Int) -> Bool {
        tombstones[position >> 6] >> UInt64(position & 63) & 1 == 1
    }
}

extension SpatialTree {
    /// Finds the leaf for a point that is added later, and enlarges the boxes on the path to the leaf so that a
    /// search still finds the point.
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
