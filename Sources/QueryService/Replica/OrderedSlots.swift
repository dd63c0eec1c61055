// SPDX-License-Identifier: Apache-2.0

/// A list of slots that stays sorted while slots come and go. It takes four bytes for each slot, in blocks, so that
/// inserting and removing cost little more than finding the place.
///
/// The caller supplies the order and has to use the same one in each call. A slot must be removed under the same
/// values that it was inserted with.
struct OrderedSlots: Sendable {
    /// A position in the list.
    struct Place: Sendable {
        fileprivate var block: Int
        fileprivate var offset: Int
    }

    private static let most = 512
    /// No block is empty.
    private var blocks: [[UInt32]] = []
    private(set) var count = 0

    init() {}

    /// - Parameter sorted: the slots in that order.
    init(sorted: [UInt32]) {
        count = sorted.count
        // Blocks are filled to three quarters, to leave room for later slots.
        let step = Self.most * 3 / 4
        blocks = stride(from: 0, to: sorted.count, by: step).map { Array(sorted[$0..<min($0 + step, sorted.count)]) }
    }

    /// - Parameter isBefore: the order of the list.
    mutating func insert(_ slot: UInt32, _ isBefore: (UInt32, UInt32) -> Bool) {
        count += 1
        guard !blocks.isEmpty else { return blocks = [[slot]] }
        var place = first { !isBefore($0, slot) }
        // The slot comes after all others, so it goes into the last block.
        if place.block == blocks.count {
            place = Place(block: blocks.count - 1, offset: blocks[blocks.count - 1].count)
        }
        blocks[place.block].insert(slot, at: place.offset)
        guard blocks[place.block].count > Self.most else { return }
        let half = blocks[place.block].count / 2
        blocks.insert(Array(blocks[place.block][half...]), at: place.block + 1)
        blocks[place.block].removeLast(blocks[place.block].count - half)
    }

    /// - Returns: whether the list held the slot.
    @discardableResult
    mutating func remove(_ slot: UInt32, _ isBefore: (UInt32, UInt32) -> Bool) -> Bool {
        let place = first { !isBefore($0, slot) }
        guard place.block < blocks.count, blocks[place.block][place.offset] == slot else { return false }
        count -= 1
        blocks[place.block].remove(at: place.offset)
        if blocks[place.block].isEmpty { blocks.remove(at: place.block) }
        return true
    }

    /// The first position for which the condition holds. It must hold for every position after that one as well.
    func first(where isThere: (UInt32) -> Bool) -> Place {
        let block = Self.partition(blocks.count) { isThere(blocks[$0][blocks[$0].count - 1]) }
        guard block < blocks.count else { return Place(block: block, offset: 0) }
        let slots = blocks[block]
        return Place(block: block, offset: Self.partition(slots.count) { isThere(slots[$0]) })
    }

    /// The first number below `count` for which the condition holds, or `count`.
    private static func partition(_ count: Int, _ isThere: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isThere(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    var start: Place { Place(block: 0, offset: 0) }
    var end: Place { Place(block: blocks.count, offset: 0) }

    /// Calls `body` with the slots from a position on, as long as it returns true.
    ///
    /// - Returns: the position to continue from; nil at the end of the list.
    @discardableResult
    func forward(from place: Place, _ body: (UInt32) -> Bool) -> Place? {
        var place = place
        while place.block < blocks.count {
            let slots = blocks[place.block]
            while place.offset < slots.count {
                let slot = slots[place.offset]
                place.offset += 1
                if !body(slot) { return place }
            }
            place = Place(block: place.block + 1, offset: 0)
        }
        return nil
    }

    /// The same in reverse, beginning with the slot before a position.
    @discardableResult
    func backward(from place: Place, _ body: (UInt32) -> Bool) -> Place? {
        var place = place
        while true {
            while place.offset > 0 {
                place.offset -= 1
                if !body(blocks[place.block][place.offset]) { return place }
            }
            guard place.block > 0 else { return nil }
            place = Place(block: place.block - 1, offset: blocks[place.block - 1].count)
        }
    }
}
