// SPDX-License-Identifier: Apache-2.0

/// A sorted list of slots. It takes a little more than four bytes for each slot.
///
/// The slots are in blocks, and the list keeps the key of each block's end. So the block of a key is found without
/// looking at any landmark. In its block, a slot to remove is found by its number. Only inserting a slot into the
/// middle of a block reads landmarks: about eight.
///
/// The caller supplies the keys. No two slots have equal keys, and a slot must be removed under the key that it was
/// inserted with.
struct OrderedSlots<Key: Comparable & Sendable>: Sendable {
    /// A position in the list.
    struct Place: Sendable {
        fileprivate var block: Int
        fileprivate var offset: Int
    }

    private static var most: Int { 256 }
    /// The blocks of slots; no block is empty.
    private var blocks: [[UInt32]] = []
    /// The upper bounds of the blocks. Each bound is at least as high as every key in its block, and lower than every
    /// key in the next block. A bound may be the key of a slot that was removed.
    private var ends: [Key] = []

    init() {}

    /// - Parameter sorted: the slots in the order of their keys.
    init(sorted: [UInt32], _ key: (UInt32) -> Key) {
        // Blocks are filled to three quarters, to leave room for later slots.
        let step = Self.most * 3 / 4
        for start in stride(from: 0, to: sorted.count, by: step) {
            let block = sorted[start..<min(start + step, sorted.count)]
            blocks.append(Array(block))
            ends.append(key(block[block.endIndex - 1]))
        }
    }

    /// - Parameters:
    ///   - isAfter: whether `slot` comes after the given slot.
    ///   - keyOf: returns the key of a slot in the list.
    mutating func insert(
        _ slot: UInt32, _ key: Key, _ isAfter: (UInt32) -> Bool, _ keyOf: (UInt32) -> Key
    ) {
        // A bound may be the key of a removed slot, which may come back: only a key beyond the last bound is appended.
        guard let last = ends.last, !(last < key) else { return append(slot, key) }
        let block = firstBlock { !($0 < key) }
        let offset = blocks[block].indices.partition { isAfter(blocks[block][$0]) }
        makeRoom(in: block)
        blocks[block].insert(slot, at: offset)
        guard blocks[block].count > Self.most else { return }
        let half = blocks[block].count / 2
        blocks.insert(Array(blocks[block][half...]), at: block + 1)
        blocks[block].removeLast(blocks[block].count - half)
        ends.insert(keyOf(blocks[block][half - 1]), at: block)
    }

    private mutating func append(_ slot: UInt32, _ key: Key) {
        let last = blocks.count - 1
        if last >= 0, blocks[last].count < Self.most {
            makeRoom(in: last)
            blocks[last].append(slot)
            ends[last] = key
        } else {
            blocks.append([slot])
            ends.append(key)
        }
    }

    /// Reserves capacity for a slot. An array that grows by itself doubles its capacity, even beyond the size of a
    /// block.
    private mutating func makeRoom(in block: Int) {
        let count = blocks[block].count
        if blocks[block].capacity == count { blocks[block].reserveCapacity(min(2 * count, Self.most) + 1) }
    }

    /// Removes a slot. Has no effect if the list does not hold it.
    mutating func remove(_ slot: UInt32, _ key: Key) {
        let block = firstBlock { !($0 < key) }
        guard block < blocks.count, let offset = blocks[block].firstIndex(of: slot) else { return }
        blocks[block].remove(at: offset)
        // Small blocks are joined, because changing landmarks leave the blocks of their old places nearly empty.
        if blocks[block].isEmpty {
            blocks.remove(at: block)
            ends.remove(at: block)
        } else if blocks[block].count < Self.most / 4 {
            join(block)
            if block > 0 { join(block - 1) }
        }
    }

    /// Moves the slots of the next block into this block if both together fill at most half a block.
    private mutating func join(_ block: Int) {
        guard block + 1 < blocks.count, blocks[block].count + blocks[block + 1].count <= Self.most / 2 else { return }
        blocks[block] = blocks[block] + blocks[block + 1]
        blocks.remove(at: block + 1)
        // The bound of the next block is now the bound of both.
        ends.remove(at: block)
    }

    /// Returns the position of the first slot whose key is higher than this key.
    func first(after key: Key, _ keyOf: (UInt32) -> Key) -> Place {
        let block = firstBlock { key < $0 }
        guard block < blocks.count else { return end }
        let slots = blocks[block]
        return Place(block: block, offset: slots.indices.partition { !(key < keyOf(slots[$0])) })
    }

    private func firstBlock(_ isThere: (borrowing Key) -> Bool) -> Int {
        ends.withUnsafeBufferPointer { ends in (0..<ends.count).partition { !isThere(ends[$0]) } }
    }

    var start: Place { Place(block: 0, offset: 0) }
    var end: Place { Place(block: blocks.count, offset: 0) }

    /// Calls `body` with the slots from a position on, as long as it returns true.
    func forward(from place: Place, _ body: (UInt32) -> Bool) {
        var offset = place.offset
        for block in blocks[min(place.block, blocks.count)...] {
            for slot in block[min(offset, block.count)...] where !body(slot) { return }
            offset = 0
        }
    }

    /// Calls `body` with the slots before a position, last one first, as long as it returns true.
    func backward(from place: Place, _ body: (UInt32) -> Bool) {
        if place.block < blocks.count {
            for slot in blocks[place.block][..<place.offset].reversed() where !body(slot) { return }
        }
        for block in blocks[..<place.block].reversed() {
            for slot in block.reversed() where !body(slot) { return }
        }
    }
}
