// SPDX-License-Identifier: Apache-2.0

/// An immutable, packed k-d tree over points of the WGS84 ellipsoid.
///
/// There are no nodes as objects and no pointers: points lie in the order of the leaves, every leaf is at the same
/// depth, and node `j` of level `l` holds the points from `(j·n) >> l` up to `((j+1)·n) >> l`. A point takes 16 bytes
/// (x, y, z in 1/256 m, and the payload) and 8 for what that rounded away, its coordinate 16, its key 16 and the table
/// of keys 5; boxes add 6 to 12 bytes, as leaves hold 8 points or 4. For a million points that is 68 bytes a point.
public struct SpatialTree: Sendable {
    /// The packed points, in the order of the leaves.
    var points: [PackedPoint]

    /// What else there is of them, in the same order.
    var details: [PointDetail]

    /// The boxes of the nodes: the root at 0, the children of `i` at `2i+1` and `2i+2`. ``SpatialIndex`` lets those of
    /// its own copy grow.
    var boxes: [SpatialBox]

    /// Where a key's point is.
    var table: KeyTable

    /// The depth of the leaves; the root alone is depth 0.
    let depth: Int

    /// The payloads, in the order of the leaves: points that are near each other come one after the other.
    public var payloads: some Sequence<UInt32> { points.lazy.map(\.payload) }

    /// How many points the tree holds.
    public var count: Int { points.count }

    /// How many leaves there are.
    var leafCount: Int { 1 << depth }

    /// The most points a leaf can hold.
    static let leafCapacity = 8

    /// Builds the tree: O(n log n), about half a second for a million points.
    ///
    /// - Parameters:
    ///   - coordinates: where the points are.
    ///   - keys: their keys, in the same order. If a key comes twice, the last one stands.
    ///   - payloads: what ``Neighbour/payload`` shall say for them; their places in these arrays if left out.
    public init(coordinates: [Coordinate], keys: [PointKey], payloads: [UInt32]? = nil) {
        precondition(coordinates.count == keys.count && keys.count == payloads?.count ?? keys.count)
        precondition(keys.count <= Int(Int32.max), "a tree holds at most 2³¹ - 1 points")
        var table = KeyTable(capacity: keys.count)
        var order: [UInt32] = []
        order.reserveCapacity(keys.count)
        for slot in keys.indices.reversed() where table.insert(UInt32(slot), { keys[$0] }) {
            order.append(UInt32(slot))
        }

        var depth = 0
        while order.count >> depth >= Self.leafCapacity { depth += 1 }
        // While the tree is built, the fourth lane says where the point came from.
        var remainders = [PackedRemainder](repeating: PackedRemainder(), count: keys.count)
        var points = order.map { slot in
            let (point, remainder) = Cartesian.packing(coordinates[Int(slot)], payload: slot)
            remainders[Int(slot)] = remainder
            return point
        }
        boxes = SpatialTreeBuilder.arrange(&points, depth: depth)
        self.depth = depth

        details = points.map { point in
            let slot = Int(point.payload)
            return PointDetail(coordinate: coordinates[slot], key: keys[slot], remainder: remainders[slot])
        }
        var position = [UInt32](repeating: 0, count: keys.count)
        for index in points.indices {
            let slot = Int(points[index].payload)
            position[slot] = UInt32(index)
            if let payloads { points[index].w = Int32(bitPattern: payloads[slot]) }
        }
        table.renumber(position)
        self.table = table
        self.points = points
    }

    /// The place of a key's point in the arrays, or nil.
    func position(of key: PointKey) -> Int? {
        table.position(of: key) { details[$0].key }
    }

    /// The points of the leaf with this number.
    @inline(__always)
    static func range(ofLeaf leaf: Int, count: Int, depth: Int) -> Range<Int> {
        (leaf * count) >> depth..<((leaf + 1) * count) >> depth
    }
}
