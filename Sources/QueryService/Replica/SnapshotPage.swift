// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// One reply of storage with encoded landmarks, and the folded names of these landmarks, by which they are sorted.
///
/// A page holds only addresses, so a million landmarks are read without reference counting. ``SnapshotMemory`` owns the
/// bytes.
///
/// `@unchecked Sendable`: nothing writes to the memory after `init`.
struct SnapshotPage: @unchecked Sendable {
    private let memory: UnsafeRawBufferPointer
    private let replyCount: Int

    init(reply: UnsafeRawBufferPointer, names: [UInt8], in owner: SnapshotMemory) {
        let memory = owner.allocate(reply.count + names.count)
        memory.copyMemory(from: reply)
        names.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: memory[reply.count...]).copyMemory(from: $0) }
        (self.memory, replyCount) = (UnsafeRawBufferPointer(memory), reply.count)
    }

    func landmark(_ entry: SnapshotLandmark) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: memory[Int(entry.offset)..<Int(entry.offset + entry.count)])
    }

    /// The folded name in UTF-8.
    func foldedName(_ entry: SnapshotLandmark) -> UnsafeRawBufferPointer {
        let start = replyCount + Int(entry.nameOffset)
        return UnsafeRawBufferPointer(rebasing: memory[start..<start + Int(entry.nameCount)])
    }

    /// Finds the cursor of the next page in an encoded `Reply`; empty if this page is the last. Nil if the bytes are
    /// not an encoded `Reply` with a page of a snapshot.
    ///
    /// The landmarks are not read, so that the next page can be requested before this page is read.
    static func cursor(of reply: [UInt8]) -> [UInt8]? {
        reply.withUnsafeBytes { bytes in
            var cursor: [UInt8]?
            var results = WireFields(bytes)
            while let page = results.next(ReplyField.snapshot) {
                cursor = cursor ?? []
                var fields = WireFields(page)
                while let next = fields.next(SnapshotPageField.next) { cursor = [UInt8](next) }
                guard fields.isWhole else { return nil }
            }
            return results.isWhole ? cursor : nil
        }
    }
}
