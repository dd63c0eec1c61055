// SPDX-License-Identifier: Apache-2.0

/// An immutable, packed k-d tree over points of the WGS84 ellipsoid.
///
/// There are no node objects and no pointers. The points are in the order of the leaves, and every leaf is at the same
/// depth. Node `j` of level `l` holds the points from `(j·n) >> l` up to `((j+1)·n) >> l`. Bytes for each point: 16
/// packed (x, y, z in 1/256 m, and the payload), 8 for the remainder of packing, 16 for the coordinate, 16 for the key,
/// 5 in the key table, and 6 to 12 for boxes, as a leaf holds 4 to 8 points. With a million points that is 68.
public struct SpatialTree: Sendable {
    /// The packed points, in the order of the leaves.
    var points: [PackedPoint]

    /// The other values of the points, in the same order.
    var details: [PointDetail]

    /// The boxes of the nodes. The root is at index 0, and the children of node `i` are at `2i+1` and `2i+2`.
    /// ``SpatialIndex`` enlarges the boxes of its own copy.
    var boxes: [SpatialBox]

    /// The index of each key's point.
    var table: KeyTable

    /// The depth of the leaves; 0 if the root is the only node.
    let depth: Int

    /// Returns the payload of the point at an index. Points near each other in space have indices near each other.
    public func payload(at position: Int) -> UInt32 { points[position].payload }

    /// The number of points.
    public var count: Int { points.count }

    /// The number of leaves.
    var leafCount: Int { 1 << depth }

    /// The maximum number of points in a leaf.
    static let leafCapacity = 8

    /// Builds the tree of points that were added one by one, in O(n log n): about half a second for a million points.
    /// Their payloads are their numbers.
    public init(_ input: SpatialTreeInput) {
        let (places, keys) = (input.places, input.keys)
        precondition(keys.count <= Int(Int32.max), "a tree holds at most 2³¹ - 1 points")
        let points = places.indices.map { places[$0].point(UInt32($0)) }
        self.init(points, input.table, nil) { PointDetail(places[$0], keys[$0]) }
    }

    /// Builds the tree of points that are already packed and have distinct keys.
    ///
    /// - Parameter details: the other values of the points, in the same order.
    init(packed points: [PackedPoint], details: [PointDetail]) {
        var table = KeyTable(capacity: points.count)
        var numbered = points
        for slot in points.indices {
            _ = table.insert(UInt32(slot)) { details[$0].key }
            numbered[slot].w = Int32(truncatingIfNeeded: slot)
        }
        self.init(numbered, table, points.map(\.payload)) { details[$0] }
    }

    /// - Parameters:
    ///   - points: the points, each with its index in the input as its payload.
    ///   - table: the indices in the input, by key.
    ///   - payloads: the payloads in the order of the input; nil if the indices are the payloads.
    private init(
        _ points: consuming [PackedPoint], _ table: consuming KeyTable, _ payloads: [UInt32]?,
        _ detail: (Int) -> PointDetail
    ) {
        var points = points
        var depth = 0
        while points.count >> depth >= Self.leafCapacity { depth += 1 }
        boxes = SpatialTreeBuilder.arrange(&points, depth: depth)
        self.depth = depth
        details = points.map { detail(Int($0.payload)) }
        var position = [UInt32](repeating: 0, count: points.count)
        for index in points.indices {
            let slot = Int(points[index].payload)
            position[slot] = UInt32(index)
            if let payloads { points[index].w = Int32(bitPattern: payloads[slot]) }
        }
        table.renumber(position)
        self.table = table
        self.points = points
    }

    /// Returns the index of a key's point; nil if the tree does not hold the key.
    func position(of key: PointKey) -> Int? {
        table.position(of: key) { details[$0].key }
    }

    /// Returns the indices of the points of this leaf.
    @inline(__always)
    static func range(ofLeaf leaf: Int, count: Int, depth: Int) -> Range<Int> {
        (leaf * count) >> depth..<((leaf + 1) * count) >> depth
    }
}
