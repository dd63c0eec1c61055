// SPDX-License-Identifier: Apache-2.0

/// The points that were added since the base was built, as one linked list for each leaf of the base.
///
/// A search that visits a leaf also visits the leaf's list. So thousands of added points cost a search next to nothing,
/// unless most of them are in one leaf; ``longestChain`` shows this.
struct SpatialOverlay: Sendable {
    /// One added point.
    struct Entry: Sendable {
        var point: PackedPoint
        var detail: PointDetail
        var leaf: Int32
        /// The indices of the neighbours in the leaf's list; -1 at the ends. Meaningless if the entry is free.
        var next: Int32
        var previous: Int32
    }

    /// All entries. The indices of unused entries are in `free`.
    private(set) var entries: [Entry] = []

    /// The index of the first entry of each leaf's list; -1 if the list is empty.
    private(set) var heads: [Int32]

    /// The greatest length that any leaf's list has reached since the base was built.
    private(set) var longestChain = 0

    /// The length of each leaf's list.
    private var lengths: [Int32]
    private var places: [PointKey: Int32] = [:]
    private var free: [Int32] = []

    /// Makes an empty overlay for a base with this many leaves.
    init(leafCount: Int) {
        heads = [Int32](repeating: -1, count: leafCount)
        lengths = [Int32](repeating: 0, count: leafCount)
    }

    /// The number of points.
    var count: Int { places.count }

    /// Returns the index of a key's entry; nil if the overlay does not hold the key.
    func place(of key: PointKey) -> Int? { places[key].map { Int($0) } }

    /// Adds a point to a leaf's list. The overlay must not hold the point's key yet.
    ///
    /// - Parameter point: the packed form, with the payload.
    mutating func insert(_ key: PointKey, _ place: SpatialPlace, _ point: PackedPoint, leaf: Int) {
        let head = heads[leaf]
        let entry = Entry(
            point: point, detail: PointDetail(place, key), leaf: Int32(leaf), next: head, previous: -1)
        let position: Int32
        if let vacant = free.popLast() {
            position = vacant
            entries[Int(vacant)] = entry
        } else {
            position = Int32(entries.count)
            entries.append(entry)
        }
        if head >= 0 { entries[Int(head)].previous = position }
        heads[leaf] = position
        places[key] = position
        lengths[leaf] += 1
        longestChain = max(longestChain, Int(lengths[leaf]))
    }

    /// Removes the point of the entry at this index.
    mutating func remove(at place: Int) {
        let entry = entries[place]
        places[entry.detail.key] = nil
        if entry.previous >= 0 {
            entries[Int(entry.previous)].next = entry.next
        } else {
            heads[Int(entry.leaf)] = entry.next
        }
        if entry.next >= 0 { entries[Int(entry.next)].previous = entry.previous }
        lengths[Int(entry.leaf)] -= 1
        free.append(Int32(place))
    }

    /// Calls `body` with every entry in use.
    func forEach(_ body: (Entry) -> Void) {
        for place in places.values { body(entries[Int(place)]) }
    }
}
