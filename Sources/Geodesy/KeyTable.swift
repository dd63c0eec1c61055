// SPDX-License-Identifier: Apache-2.0

/// A hash table from a key to the key's index in an array that the caller owns. It takes 5.3 bytes for each key.
///
/// The table uses open addressing with linear probing, and is at most three quarters full. The hash is Swift's own,
/// which has a random seed in each process: otherwise somebody could choose keys that collide.
struct KeyTable: Sendable {
    private var cells: [UInt32]
    private static let vacant = UInt32.max

    /// Makes an empty table with room for this many keys.
    init(capacity: Int) {
        cells = [UInt32](repeating: Self.vacant, count: capacity + capacity / 3 + 1)
    }

    /// The approximate number of keys that the table has room for.
    var capacity: Int { cells.count * 3 / 4 }

    /// Enters the key at index `position`. Returns false, and changes nothing, if the table has an equal key.
    mutating func insert(_ position: UInt32, _ keyAt: (Int) -> PointKey) -> Bool {
        let cell = find(keyAt(Int(position)), keyAt)
        guard cells[cell] == Self.vacant else { return false }
        cells[cell] = position
        return true
    }

    /// Returns the index of a key; nil if the table does not hold the key.
    @inline(__always)
    func position(of key: PointKey, _ keyAt: (Int) -> PointKey) -> Int? {
        let position = cells[find(key, keyAt)]
        return position == Self.vacant ? nil : Int(position)
    }

    /// Replaces each index `p` by `position[p]`, after the caller has reordered its array.
    mutating func renumber(_ position: [UInt32]) {
        for cell in cells.indices where cells[cell] != Self.vacant { cells[cell] = position[Int(cells[cell])] }
    }

    /// Finds the cell that holds the key, or the vacant cell where the key would be entered.
    @inline(__always)
    private func find(_ key: PointKey, _ keyAt: (Int) -> PointKey) -> Int {
        let hash = UInt(bitPattern: key.hashValue)
        // The high half of the product distributes hashes over any number of cells without a division.
        var cell = Int(hash.multipliedFullWidth(by: UInt(cells.count)).high)
        while cells[cell] != Self.vacant, keyAt(Int(cells[cell])) != key {
            cell += 1
            if cell == cells.count { cell = 0 }
        }
        return cell
    }
}
