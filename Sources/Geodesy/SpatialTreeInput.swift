// SPDX-License-Identifier: Apache-2.0

/// The points of a tree that is to be built. They can be added while others are still being read from somewhere.
///
/// The payload of a point is its number in the order of arrival.
public struct SpatialTreeInput: Sendable {
    public private(set) var places: [SpatialPlace] = []
    public private(set) var keys: [PointKey] = []
    private var positions = KeyTable(capacity: 0)
    private var capacity = 0

    public init() {}

    /// Makes room for this many points in all. Without it the room is doubled whenever it is used up, as the table of
    /// keys then has to be made again.
    public mutating func reserve(_ count: Int) {
        guard count > capacity else { return }
        places.reserveCapacity(count)
        keys.reserveCapacity(count)
        capacity = count
        positions = table(of: count)
    }

    /// Returns false, and changes nothing, if there is a point with this key.
    public mutating func append(_ key: PointKey, at place: SpatialPlace) -> Bool {
        if keys.count == capacity { reserve(max(64, 2 * capacity)) }
        keys.append(key)
        guard positions.insert(UInt32(keys.count - 1), { [keys] in keys[$0] }) else {
            keys.removeLast()
            return false
        }
        places.append(place)
        return true
    }

    /// The position of each key, in a table that has no more room than it needs.
    var table: KeyTable { capacity == keys.count ? positions : table(of: keys.count) }

    private func table(of capacity: Int) -> KeyTable {
        var table = KeyTable(capacity: capacity)
        for slot in keys.indices { _ = table.insert(UInt32(slot)) { keys[$0] } }
        return table
    }
}
