// SPDX-License-Identifier: Apache-2.0

/// The records of a replica by slot. They are in blocks of memory that never move, so that the list grows without
/// copying, which would take tens of milliseconds for a million records.
///
/// The owner must call ``free()`` at the end. Copies share the records.
struct ReplicaRecords {
    private typealias Record = ReplicaRecord?
    private static var most: Int { LargeMemory.pageBytes / MemoryLayout<Record>.stride }

    private var blocks: [UnsafeMutablePointer<ReplicaRecord?>] = []
    /// The number of slots, including the free ones.
    private(set) var count = 0

    /// Makes a list of free slots.
    init(count: Int) { for _ in 0..<count { append() } }

    /// Adds a free slot at the end.
    mutating func append() {
        if count == blocks.count * Self.most {
            blocks.append(LargeMemory.page().bindMemory(to: Record.self, capacity: Self.most))
        }
        count += 1
        address(of: UInt32(count - 1)).initialize(to: nil)
    }

    /// The record of a slot; nil if the slot is free.
    subscript(slot: UInt32) -> ReplicaRecord? {
        get { address(of: slot).pointee }
        nonmutating set { address(of: slot).pointee = newValue }
    }

    func prefetch(_ slot: UInt32) { LargeMemory.prefetch(address(of: slot)) }

    private func address(of slot: UInt32) -> UnsafeMutablePointer<ReplicaRecord?> {
        precondition(Int(slot) < count)
        return blocks[Int(slot) / Self.most] + Int(slot) % Self.most
    }

    func free() { for block in blocks { LargeMemory.free(block) } }
}
