// SPDX-License-Identifier: Apache-2.0

/// The encoded landmarks of a replica, one behind the other in large blocks of memory, ready to be copied into answers.
///
/// A block never moves, so that a record finds its landmark by address alone. A landmark that changes is written anew
/// at the end; when more than half of a block is of no use any more, what is left is written anew too and the block is
/// freed. So there are about twice the bytes that are needed at most, and no pause for tidying is longer than a block.
///
/// ```
///   4 bytes      4 bytes      4 bytes
/// +------------+------------+------------+----------+-------------+
/// | slot       | landmark   | name       | landmark | folded name |
/// |            | byte count | byte count |          |             |
/// +------------+------------+------------+----------+-------------+
/// ```
///
/// `@unchecked Sendable`: it has one owner at a time. A replica is made on another thread and handed over whole.
final class LandmarkStore: @unchecked Sendable {
    private struct Block {
        let memory: UnsafeMutableRawPointer
        var used = 0
        /// Of them, what is of use.
        var live = 0

        var isSparse: Bool { live < used / 2 }
    }

    /// By the number that an address in them tells.
    private var blocks: [UInt: Block] = [:]
    /// The block that is being filled.
    private var current: UInt = 0
    /// Full ones of which more than half is of no use.
    private var sparse: Set<UInt> = []

    deinit { for block in blocks.values { block.memory.deallocate() } }

    /// Bytes of all blocks.
    var byteCount: Int { blocks.count * LargeMemory.pageBytes }

    /// - Precondition: both together fit into a block; the protocol's largest landmark does.
    func append(
        slot: UInt32, _ landmark: UnsafeRawBufferPointer, foldedName: UnsafeRawBufferPointer
    ) -> StoredLandmark {
        let count = StoredLandmark.room(landmark.count, foldedName.count)
        precondition(count <= LargeMemory.pageBytes, "a landmark of \(count) bytes")
        if blocks[current].map({ $0.used + count > LargeMemory.pageBytes }) ?? true { addBlock() }
        // Made just now if it was not there.
        let start = blocks[current]!.memory + blocks[current]!.used
        blocks[current]!.used += count
        blocks[current]!.live += count
        return StoredLandmark(at: start, slot: slot, landmark, foldedName)
    }

    /// What was appended is of no use any more.
    func release(_ item: StoredLandmark) {
        let number = Self.block(item.start)
        blocks[number]?.live -= item.byteCount
        if number != current, blocks[number]?.isSparse == true { sparse.insert(number) }
    }

    /// To be called after changes: takes what is left from one block that is mostly of no use, and frees it.
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
