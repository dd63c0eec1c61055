// SPDX-License-Identifier: Apache-2.0

/// The encoded landmarks of a replica, stored one after the other in large blocks of memory, ready to be copied into
/// answers.
///
/// A block never moves, so a record finds its landmark by address alone. When a landmark changes, its new bytes are
/// written after all others, and its old bytes become garbage. When more than half of a block is garbage, its live
/// landmarks are copied to the end and the block is freed. So the store takes at most about twice the live bytes, and
/// one compaction step copies at most one block.
///
/// ```
///   4 bytes      4 bytes                 4 bytes
/// +------------+------------+----------+------------+-------------+
/// | slot       | landmark   | landmark | name       | folded name |
/// |            | byte count |          | byte count |             |
/// +------------+------------+----------+------------+-------------+
/// ```
///
/// The folded name is stored only if the landmark's name is not ASCII. Otherwise it is that name in lower case, and the
/// name is found at the start of the landmark.
///
/// `@unchecked Sendable`: it has one owner at a time. A replica is built on another thread and handed over as a whole.
final class LandmarkStore: @unchecked Sendable {
    /// A block of memory, identified by its address. It begins with two counts. Blocks are aligned to their size, so
    /// the block of a landmark is found by the landmark's address, without a table.
    private struct Block: Hashable {
        static let headerBytes = 16

        let memory: UnsafeMutableRawPointer

        /// Finds the block that contains this address.
        init(of address: UnsafeMutableRawPointer) {
            memory = address - Int(UInt(bitPattern: address) % UInt(LargeMemory.pageBytes))
        }

        init() {
            memory = LargeMemory.page()
            (used, live) = (Self.headerBytes, 0)
        }

        /// The number of bytes in use, header included.
        var used: Int {
            get { memory.load(as: Int.self) }
            nonmutating set { memory.storeBytes(of: newValue, as: Int.self) }
        }

        /// The number of bytes in `used` that are not garbage.
        var live: Int {
            get { memory.load(fromByteOffset: 8, as: Int.self) }
            nonmutating set { memory.storeBytes(of: newValue, toByteOffset: 8, as: Int.self) }
        }

        var isSparse: Bool { live < used / 2 }
    }

    private var blocks: Set<Block> = []
    /// The block to which landmarks are appended.
    private var current: Block?
    /// Full blocks of which more than half is garbage.
    private var sparse: Set<Block> = []

    /// Empty blocks for the next landmarks.
    private var reserve: [Block]

    /// - Parameter byteCount: about how many bytes will be appended soon. The system clears a page of memory when it is
    ///   first written to, which is a third of the time of filling the store. The initializer touches the pages, so
    ///   that this can happen on another thread.
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

    /// - Precondition: landmark and name both fit into one block. The largest landmark of the protocol does.
    func append(
        slot: UInt32, _ landmark: UnsafeRawBufferPointer, foldedName: UnsafeRawBufferPointer
    ) -> LandmarkAddress {
        let count = LandmarkAddress.room(landmark, foldedName.count)
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

    /// Copies the live landmarks out of one sparse block, if any, and frees the block. Must be called after each
    /// change.
    func tidy(_ records: ReplicaRecords) {
        guard let block = sparse.popFirst() else { return }
        var offset = Block.headerBytes
        while offset < block.used {
            let item = LandmarkAddress(at: block.memory + offset)
            offset += item.byteCount
            guard records[item.slot]?.stored.start == item.start else { continue }
            records[item.slot]?.stored = item.withFoldedName {
                append(slot: item.slot, item.landmark, foldedName: $0)
            }
        }
        blocks.remove(block)
        LargeMemory.free(block.memory)
    }

    /// Returns the block to append to, with room for this many bytes.
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
