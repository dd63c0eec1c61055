// SPDX-License-Identifier: Apache-2.0

/// An index that finds the nearest points, in exact order of geodesic distance on WGS84, then of key.
///
/// The index consists of an immutable ``SpatialTree`` (the base), a bitmap of the points removed from it, and an
/// overlay of added points. It is a value with one owner: change and query it on one thread. When ``needsRebuild`` is
/// true, run the result of ``beginRebuild()`` on any other thread, keep using the index meanwhile, then ``adopt(_:)``
/// the result. No change is lost.
public struct SpatialIndex: Sendable {
    var base: SpatialTree
    var overlay: SpatialOverlay

    /// One bit for each point of the base, which is set if the point was removed or replaced.
    var tombstones: [UInt64]
    var tombstoneCount = 0

    /// The number of insertions since the base was built; each move of a point counts as one. An insertion may enlarge
    /// boxes of the base, and only a rebuild shrinks them.
    private(set) var growths = 0

    /// The keys that have changed since the last ``beginRebuild()``; nil if no rebuild is in progress.
    var journal: Set<PointKey>?

    /// The number of the rebuild in progress, so that the result of an earlier rebuild is not adopted.
    var generation: UInt64 = 0

    /// Makes an index over a tree; without an argument, an empty index.
    public init(_ tree: SpatialTree = SpatialTree(SpatialTreeInput())) {
        base = tree
        overlay = SpatialOverlay(leafCount: tree.leafCount)
        tombstones = [UInt64](repeating: 0, count: (tree.count + 63) / 64)
    }

    /// The number of points.
    public var count: Int { base.count - tombstoneCount + overlay.count }

    /// The coordinate and payload of a key's point; nil if the index does not hold the key.
    public subscript(_ key: PointKey) -> (coordinate: Coordinate, payload: UInt32)? {
        spot(of: key).map(value(at:))
    }

    /// The location of a point in memory.
    private enum Spot {
        /// An index into the arrays of the base.
        case base(Int)
        /// An index into the entries of the overlay.
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

    /// Inserts a point, which replaces a point with the same key.
    ///
    /// - Parameters:
    ///   - key: identifies the point, and orders it among points at equal distance.
    ///   - place: the coordinate of the point, with its packed form.
    ///   - payload: the value of ``Neighbour/payload``; usually a slot in the caller's array.
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

    /// Whether a point of the base was removed or replaced.
    func isDead(_ position: Int) -> Bool {
        tombstones[position >> 6] >> UInt64(position & 63) & 1 == 1
    }
}

extension SpatialTree {
    /// Finds the leaf for an added point, and enlarges the boxes on the path to the leaf so that a search finds the
    /// point.
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
