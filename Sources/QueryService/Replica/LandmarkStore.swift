// SPDX-License-Identifier: Apache-2.0

/// The encoded landmarks of a replica, stored one after the other in large blocks of memory, ready to be copied into
/// answers.
///
/// A block never moves, so a record finds its landmark by address alone. A landmark that changes is written again at
/// the end. When more than half of a block is garbage, its live landmarks are copied to the end and the block is freed.
/// So the store takes at most about twice the live bytes, and one compaction step copies at most one block.
///
/// ```
///   4 bytes      4 bytes      4 bytes
/// +------------+------------+------------+-------------+----------+
/// | slot       | landmark   | name       | folded name | landmark |
/// |            | byte count | byte count |             |          |
/// +------------+------------+------------+-------------+----------+
/// ```
///
/// The name is beside the header, so that comparing names mostly reads one line of the processor's cache.
///
/// `@unchecked Sendable`: it has one owner at a time. A replica is built on another thread and handed over as a whole.
final class LandmarkStore: @unchecked Sendable {
    /// A block, known by the address of its memory, which begins with two counts. So the block of a landmark and its
    /// counts are found by address, without a table.
    private struct Block: Hashable {
        static let headerBytes = 16

        let memory: UnsafeMutableRawPointer

        /// The block that holds this address.
        init(of address: UnsafeMutableRawPointer) {
            memory = address - Int(UInt(bitPattern: address) % UInt(LargeMemory.pageBytes))
        }

        init() {
            memory = LargeMemory.page()
            (used, live) = (Self.headerBytes, 0)
        }

        /// The bytes in use, header included.
        var used: Int {
            get { memory.load(as: Int.self) }
            nonmutating set { memory.storeBytes(of: newValue, as: Int.self) }
        }

        /// The bytes of `used` that are live.
        var live: Int {
            get { memory.load(fromByteOffset: 8, as: Int.self) }
            nonmutating set { memory.storeBytes(of: newValue, toByteOffset: 8, as: Int.self) }
        }

        var isSparse: Bool { live < used / 2 }
    }

    private var blocks: Set<Block> = []
    /// The block that is being filled.
    private var current: Block?
    /// Full blocks that are more than half garbage.
    private var sparse: Set<Block> = []

    /// Empty blocks for the next landmarks.
    private var reserve: [Block]

    /// - Parameter byteCount: about how many bytes will be appended soon. The system clears memory when it is first
    ///   written to, which is a third of the time of filling the store; the initializer does that, so that another
    ///   thread can.
    init(reserving byteCount: Int) {
        reserve = (0..<byteCount / (LargeMemory.pageBytes - Block.headerBytes)).map { _ in
            let block = Block()
            for offset in stride(from: Block.headerBytes, to: LargeMemory.pageBytes, by: 4096) {
                block.memory.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self)
            }
            return block
        }
    }

    deinit { for block in blocks.union(reserve) { LargeMemory.free(block.memory) } }

    /// The size of all blocks in bytes.
    var byteCount: Int { blocks.count * LargeMemory.pageBytes }

    /// - Precondition: landmark and name together fit into a block. The protocol's largest landmark does.
    func append(
        slot: UInt32, _ landmark: UnsafeRawBufferPointer, foldedName: UnsafeRawBufferPointer
    ) -> LandmarkAddress {
        let count = LandmarkAddress.room(landmark.count, foldedName.count)
        precondition(count <= LargeMemory.pageBytes - Block.headerBytes, "a landmark of \(count) bytes")
        let block = block(with: count)
        let start = block.memory + block.used
        block.used += count
        block.live += count
        return LandmarkAddress(at: start, slot: slot, landmark, foldedName)
    }

    /// Marks a landmark's bytes as garbage.
    func release(_ item: LandmarkAddress) {
        let block = Block(of: item.start)
        block.live -= item.byteCount
        if block != current, block.isSparse { sparse.insert(block) }
    }

    /// Copies the live landmarks out of one sparse block and frees the block. Must be called after changes.
    func tidy(_ slots: inout [ReplicaRecord?]) {
        guard let block = sparse.popFirst() else { return }
        var offset = Block.headerBytes
        while offset < block.used {
            let item = LandmarkAddress(at: block.memory + offset)
            offset += item.byteCount
            guard slots[Int(item.slot)]?.stored.start == item.start else { continue }
            slots[Int(item.slot)]?.stored = append(slot: item.slot, item.landmark, foldedName: item.foldedName)
        }
        blocks.remove(block)
        LargeMemory.free(block.memory)
    }

    /// The block to fill, with room for this many bytes.
    private func block(with room: Int) -> Block {
        if let current {
            if current.used + room <= LargeMemory.pageBytes { return current }
            if current.isSparse { sparse.insert(current) }
        }
        let block = reserve.popLast() ?? Block()
        blocks.insert(block)
        current = block
        return block
    }
}
