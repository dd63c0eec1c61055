// SPDX-License-Identifier: Apache-2.0

import CShims
import Glibc

/// Large blocks of memory for random access, where a miss in the page table or cache costs more than the work itself.
enum LargeMemory {
    /// The size of a block: of a huge page, if the machine has huge pages.
    static let pageBytes = 2 * 1024 * 1024

    /// Allocates a block of `pageBytes`, aligned to its size and filled with zeros. Must be freed with ``free(_:)``.
    ///
    /// The block comes from the kernel. The C library does not place aligned blocks side by side, but leaves gaps of up
    /// to the size of a block. Small allocations in the gaps keep memory in use after a load: 35 bytes for each of a
    /// million landmarks with glibc 2.36.
    static func page() -> UnsafeMutableRawPointer {
        // Any range of twice the size contains an aligned block.
        let room = mmap(nil, 2 * pageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        // The C library also ends the process when memory runs out.
        guard let room, Int(bitPattern: room) != -1 else { preconditionFailure("out of memory") }
        let start = UnsafeMutableRawPointer(
            bitPattern: (UInt(bitPattern: room) + UInt(pageBytes - 1)) & ~UInt(pageBytes - 1))
        guard let start else { preconditionFailure("out of memory") }
        let before = start - room
        if before > 0 { munmap(room, before) }
        munmap(start + pageBytes, pageBytes - before)
        // A huge page needs one entry in the processor's page table cache instead of 512. A kernel without huge pages
        // refuses the advice, which is harmless.
        _ = madvise(start, pageBytes, MADV_HUGEPAGE)
        return start
    }

    static func free(_ page: UnsafeMutableRawPointer) { munmap(page, pageBytes) }

    /// Prefetches memory that will be read soon.
    @inline(__always)
    static func prefetch(_ address: UnsafeRawPointer) { waymark_prefetch(address) }
}
