// SPDX-License-Identifier: Apache-2.0

/// The memory of a snapshot's pages, which never moves. It is freed when its last owner releases it.
///
/// `@unchecked Sendable`: only one task, which reads the pages, calls `allocate`.
final class SnapshotMemory: @unchecked Sendable {
    private var blocks: [UnsafeMutableRawBufferPointer] = []

    deinit { for block in blocks { block.deallocate() } }

    func allocate(_ byteCount: Int) -> UnsafeMutableRawBufferPointer {
        blocks.append(.allocate(byteCount: byteCount, alignment: 1))
        return blocks[blocks.count - 1]
    }
}
