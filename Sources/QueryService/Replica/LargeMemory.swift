// SPDX-License-Identifier: Apache-2.0

import CMemory
import Glibc

/// Memory for random access, where a miss in the page table or the cache costs more than the work itself.
enum LargeMemory {
    /// The size of a huge page where the machine has huge pages; elsewhere it is simply a large block.
    static let pageBytes = 2 * 1024 * 1024

    /// A block of that size, aligned to its size, filled with zeros. Give it back with ``free(_:)``.
    ///
    /// It comes from the kernel and not from the C library, which has no aligned blocks beside each other: it leaves gaps of
    /// up to the same size, and what else is put there keeps memory after a load (35 bytes for each of a million
    /// landmarks, glibc 2.36).
    static func page() -> UnsafeMutableRawPointer {
        // Twice the size always has an aligned block in it.
        let room = mmap(nil, 2 * pageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        // As when the C library has no memory left.
        guard let room, Int(bitPattern: room) != -1 else { preconditionFailure("out of memory") }
        let start = UnsafeMutableRawPointer(
            bitPattern: (UInt(bitPattern: room) + UInt(pageBytes - 1)) & ~UInt(pageBytes - 1))
        guard let start else { preconditionFailure("out of memory") }
        let before = start - room
        if before > 0 { munmap(room, before) }
        munmap(start + pageBytes, pageBytes - before)
        // One entry in the processor's page table cache instead of 512. A kernel without huge pages refuses, which is
        // harmless.
        _ = madvise(start, pageBytes, MADV_HUGEPAGE)
        return start
    }

    static func free(_ page: UnsafeMutableRawPointer) { munmap(page, pageBytes) }

    /// Hints to the processor that this memory is needed soon.
    @inline(__always)
    static func prefetch(_ address: UnsafeRawPointer) { waymark_prefetch(address) }
}
