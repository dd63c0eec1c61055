// SPDX-License-Identifier: Apache-2.0

/// The points of a tree to be built, which are added while others are still being read.
///
/// A point's payload is its number in the order of arrival, from 0.
public struct SpatialTreeInput: Sendable {
    public private(set) var places: [SpatialPlace] = []
    public private(set) var keys: [PointKey] = []
    private var positions = KeyTable(capacity: 0)
    private(set) var capacity = 0

    public init() {}

    /// Makes room for at least this many points in total. The room is at least doubled, because the table of keys is
    /// rebuilt each time.
    public mutating func reserve(_ count: Int) {
        guard count > capacity else { return }
        capacity = max(count, 2 * capacity)
        places.reserveCapacity(capacity)
        keys.reserveCapacity(capacity)
        positions = table(of: capacity)
    }

    /// Adds a point. Returns false, and changes nothing, if there is a point with this key.
    public mutating func append(_ key: PointKey, at place: SpatialPlace) -> Bool {
        if keys.count == capacity { reserve(max(64, capacity + 1)) }
        keys.append(key)
        guard positions.insert(UInt32(keys.count - 1), { [keys] in keys[$0] }) else {
            keys.removeLast()
            return false
        }
        places.append(place)
        return true
    }

    /// The index of each key's point, in a table with at most a sixteenth more room than it needs.
    var table: KeyTable { capacity - keys.count <= keys.count / 16 ? positions : table(of: keys.count) }

    private func table(of capacity: Int) -> KeyTable {
        var table = KeyTable(capacity: capacity)
        for slot in keys.indices { _ = table.insert(UInt32(slot)) { keys[$0] } }
        return table
    }
}
