// SPDX-License-Identifier: Apache-2.0

/// An immutable, packed k-d tree over points of the WGS84 ellipsoid.
///
/// There are no node objects and no pointers. The points lie in the order of the leaves, every leaf is at the same
/// depth, and node `j` of level `l` holds the points from `(j·n) >> l` up to `((j+1)·n) >> l`. Bytes for each point:
/// 16 packed (x, y, z in 1/256 m, and the payload), 8 for the remainder of packing, 16 for the coordinate, 16 for the
/// key, 5 in the key table, and 6 to 12 for boxes, as a leaf holds 4 to 8 points. With a million points that is 68.
public struct SpatialTree: Sendable {
    /// The packed points, in the order of the leaves.
    var points: [PackedPoint]

    /// The remaining values of the points, in the same order.
    var details: [PointDetail]

    /// The boxes of the nodes: the root at 0, the children of `i` at `2i+1` and `2i+2`. ``SpatialIndex`` enlarges the
    /// boxes of its own copy.
    var boxes: [SpatialBox]

    /// The position of each key's point.
    var table: KeyTable

    /// The depth of the leaves; a tree with only a root has depth 0.
    let depth: Int

    /// The payload of a point. Positions follow the leaves, so that neighbours in space have neighbouring positions.
    public func payload(at position: Int) -> UInt32 { points[position].payload }

    /// The number of points.
    public var count: Int { points.count }

    /// The number of leaves.
    var leafCount: Int { 1 << depth }

    /// The greatest number of points in a leaf.
    static let leafCapacity = 8

    /// Builds the tree in O(n log n): about half a second for a million points.
    ///
    /// - Parameters:
    ///   - coordinates: the positions of the points.
    ///   - keys: their keys, in the same order. If a key occurs twice, its last point is kept.
    ///   - payloads: the values of ``Neighbour/payload``, in the same order; by default the points' positions in
    ///     these arrays.
    public init(coordinates: [Coordinate], keys: [PointKey], payloads: [UInt32]? = nil) {
        precondition(coordinates.count == keys.count && keys.count == payloads?.count ?? keys.count)
        precondition(keys.count <= Int(Int32.max), "a tree holds at most 2³¹ - 1 points")
        let places = coordinates.map(SpatialPlace.init)
        var table = KeyTable(capacity: keys.count)
        var points: [PackedPoint] = []
        points.reserveCapacity(keys.count)
        for slot in keys.indices.reversed() where table.insert(UInt32(slot), { keys[$0] }) {
            points.append(places[slot].point(UInt32(slot)))
        }
        self.init(points, of: keys.count, table, payloads) { PointDetail(places[$0], keys[$0]) }
    }

    /// Builds the tree of points that were added one by one; their payloads are their numbers.
    public init(_ input: SpatialTreeInput) {
        let (places, keys) = (input.places, input.keys)
        precondition(keys.count <= Int(Int32.max), "a tree holds at most 2³¹ - 1 points")
        let points = places.indices.map { places[$0].point(UInt32($0)) }
        self.init(points, of: keys.count, input.table, nil) { PointDetail(places[$0], keys[$0]) }
    }

    /// Builds the tree of points that are already packed and have distinct keys.
    ///
    /// - Parameter details: the details in the order of the points.
    init(packed points: [PackedPoint], details: [PointDetail]) {
        var table = KeyTable(capacity: points.count)
        var numbered = points
        for slot in points.indices {
            _ = table.insert(UInt32(slot)) { details[$0].key }
            numbered[slot].w = Int32(truncatingIfNeeded: slot)
        }
        self.init(numbered, of: points.count, table, points.map(\.payload)) { details[$0] }
    }

    /// - Parameters:
    ///   - points: the points; the payload of each is its position in the input.
    ///   - count: the number of points in the input, which may exceed that of `points`.
    ///   - table: the positions in the input, by key.
    ///   - payloads: the payloads in the order of the input; nil if the positions are the payloads.
    private init(
        _ points: consuming [PackedPoint], of count: Int, _ table: consuming KeyTable, _ payloads: [UInt32]?,
        _ detail: (Int) -> PointDetail
    ) {
        var points = points
        var depth = 0
        while points.count >> depth >= Self.leafCapacity { depth += 1 }
        boxes = SpatialTreeBuilder.arrange(&points, depth: depth)
        self.depth = depth
        details = points.map { detail(Int($0.payload)) }
        var position = [UInt32](repeating: 0, count: count)
        for index in points.indices {
            let slot = Int(points[index].payload)
            position[slot] = UInt32(index)
            if let payloads { points[index].w = Int32(bitPattern: payloads[slot]) }
        }
        table.renumber(position)
        self.table = table
        self.points = points
    }

    /// The position of a key's point in the arrays, or nil.
    func position(of key: PointKey) -> Int? {
        table.position(of: key) { details[$0].key }
    }

    /// The positions of the points of this leaf.
    @inline(__always)
    static func range(ofLeaf leaf: Int, count: Int, depth: Int) -> Range<Int> {
        (leaf * count) >> depth..<((leaf + 1) * count) >> depth
    }
}
