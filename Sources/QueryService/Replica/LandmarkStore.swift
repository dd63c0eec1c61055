// SPDX-License-Identifier: Apache-2.0

/// The encoded landmarks of a replica, stored consecutively in large blocks of memory, ready to be copied into
/// answers.
///
/// A block never moves, so a record finds its landmark by address alone. A landmark that changes is written again at
/// the end. When more than half of a block is garbage, its live landmarks are copied to the end and the block is
/// freed. So the store takes at most about twice the bytes that are live, and one compaction step copies at most one
/// block.
///
/// ```
///   4 bytes      4 bytes      4 bytes
/// +------------+------------+------------+----------+-------------+
/// | slot       | landmark   | name       | landmark | folded name |
/// |            | byte count | byte count |          |             |
/// +------------+------------+------------+----------+-------------+
/// ```
///
/// `@unchecked Sendable`: it has one owner at a time. A replica is built on another thread and handed over as a
/// whole.
final class LandmarkStore: @unchecked Sendable {
    private struct Block {
        let memory: UnsafeMutableRawPointer
        var used = 0
        /// The bytes of `used` that are live.
        var live = 0

        var isSparse: Bool { live < used / 2 }
    }

    /// The blocks by number, which is part of every address inside them.
    private var blocks: [UInt: Block] = [:]
    /// The number of the block that is being filled.
    private var current: UInt = 0
    /// The numbers of full blocks that are more than half garbage.
    private var sparse: Set<UInt> = []

    deinit { for block in blocks.values { block.memory.deallocate() } }

    /// The size of all blocks in bytes.
    var byteCount: Int { blocks.count * LargeMemory.pageBytes }

    /// - Precondition: landmark and name together fit into a block. The protocol's largest landmark does.
    func append(
        slot: UInt32, _ landmark: UnsafeRawBufferPointer, foldedName: UnsafeRawBufferPointer
    ) -> StoredLandmark {
        let count = StoredLandmark.room(landmark.count, foldedName.count)
        precondition(count <= LargeMemory.pageBytes, "a landmark of \(count) bytes")
        if blocks[current].map({ $0.used + count > LargeMemory.pageBytes }) ?? true { addBlock() }
        // The block exists: it was made above if it was missing.
        let start = blocks[current]!.memory + blocks[current]!.used
        blocks[current]!.used += count
        blocks[current]!.live += count
        return StoredLandmark(at: start, slot: slot, landmark, foldedName)
    }

    /// Marks what was appended as garbage.
    func release(_ item: StoredLandmark) {
        let number = Self.block(item.start)
        blocks[number]?.live -= item.byteCount
        if number != current, blocks[number]?.isSparse == true { sparse.insert(number) }
    }

    /// Call this after changes: copies the live landmarks out of one sparse block, and frees the block.
    func tidy(_ slots: inout [ReplicaRecord?]) {
        guard let number = sparse.popFirst(), let block = blocks[number] else { return }
        var offset = 0
        while offset < block.used {
            let item = StoredLandmark(at: block.memory + offset)
            offset += item.byteCount
            guard slots[Int(item.slot)]?.stored.start == item.start else { continue }
            slots[Int(item.slot)]?.stored = append(slot: item.slot, item.landmark, foldedName: item.foldedName)
        }
        blocks[number] = nil
        block.memory.deallocate()
    }

    private func addBlock() {
        if blocks[current]?.isSparse == true { sparse.insert(current) }
        let memory = LargeMemory.page()
        current = Self.block(memory)
        blocks[current] = Block(memory: memory)
    }

    private static func block(_ address: UnsafeRawPointer) -> UInt {
        UInt(bitPattern: address) / UInt(LargeMemory.pageBytes)
    }
}
