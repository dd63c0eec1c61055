// SPDX-License-Identifier: Apache-2.0

/// The points that were added since the base was built, as one linked list for each leaf of the base.
///
/// A search that visits a leaf also visits its list. Thousands of additions therefore cost a search next to nothing,
/// unless they all fall on one leaf; ``longestChain`` shows when they do.
struct SpatialOverlay: Sendable {
    /// One added point.
    struct Entry: Sendable {
        var point: PackedPoint
        var remainder: PackedRemainder
        var coordinate: Coordinate
        var key: PointKey
        var leaf: Int32
        /// The neighbours in the leaf's list; -1 at the ends. Meaningless in a free entry.
        var next: Int32
        var previous: Int32
    }

    /// All entries. Unused ones are listed in `free`.
    private(set) var entries: [Entry] = []

    /// The first entry of each leaf's list, or -1.
    private(set) var heads: [Int32]

    /// The greatest length that any leaf's list has reached since the base was built.
    private(set) var longestChain = 0

    private var lengths: [Int32: Int] = [:]
    private var places: [PointKey: Int32] = [:]
    private var free: [Int32] = []

    /// Makes an empty overlay over a base with this many leaves.
    init(leafCount: Int) {
        heads = [Int32](repeating: -1, count: leafCount)
    }

    /// The number of points.
    var count: Int { places.count }

    /// The entry of a key, or nil.
    func entry(of key: PointKey) -> Entry? {
        places[key].map { entries[Int($0)] }
    }

    /// Adds a point to a leaf's list. The overlay must not hold its key yet.
    mutating func insert(_ key: PointKey, _ coordinate: Coordinate, _ point: PackedPoint, leaf: Int) {
        let head = heads[leaf]
        let entry = Entry(
            point: point, remainder: Cartesian.packing(coordinate, payload: 0).remainder, coordinate: coordinate,
            key: key,
            leaf: Int32(leaf), next: head, previous: -1)
        let place: Int32
        if let vacant = free.popLast() {
            place = vacant
            entries[Int(vacant)] = entry
        } else {
            place = Int32(entries.count)
            entries.append(entry)
        }
        if head >= 0 { entries[Int(head)].previous = place }
        heads[leaf] = place
        places[key] = place
        lengths[Int32(leaf), default: 0] += 1
        longestChain = max(longestChain, lengths[Int32(leaf)] ?? 0)
    }

    /// Removes a key's point. Returns false if the overlay does not hold the key.
    mutating func remove(_ key: PointKey) -> Bool {
        guard let place = places.removeValue(forKey: key) else { return false }
        let entry = entries[Int(place)]
        if entry.previous >= 0 {
            entries[Int(entry.previous)].next = entry.next
        } else {
            heads[Int(entry.leaf)] = entry.next
        }
        if entry.next >= 0 { entries[Int(entry.next)].previous = entry.previous }
        lengths[entry.leaf, default: 1] -= 1
        free.append(place)
        return true
    }

    /// Calls `body` with every entry in use.
    func forEach(_ body: (Entry) -> Void) {
        for place in places.values { body(entries[Int(place)]) }
    }
}
