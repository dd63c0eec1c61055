// SPDX-License-Identifier: Apache-2.0

import CShims
import Glibc

/// Memory for random access, where a miss in the page table or the cache costs more than the work itself.
enum LargeMemory {
    /// The size of a huge page if the machine has huge pages; otherwise simply a large block.
    static let pageBytes = 2 * 1024 * 1024

    /// A block of `pageBytes`, aligned to its size, filled with zeros. Must be given back with ``free(_:)``.
    ///
    /// It comes from the kernel, not from the C library, which does not place aligned blocks side by side: it leaves
    /// gaps of up to the same size, and small allocations in those gaps keep memory in use after a load (35 bytes for
    /// each of a million landmarks, glibc 2.36).
    static func page() -> UnsafeMutableRawPointer {
        // Any range of twice the size contains an aligned block.
        let room = mmap(nil, 2 * pageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        // The C library ends the process likewise when memory runs out.
        guard let room, Int(bitPattern: room) != -1 else { preconditionFailure("out of memory") }
        let start = UnsafeMutableRawPointer(
            bitPattern: (UInt(bitPattern: room) + UInt(pageBytes - 1)) & ~UInt(pageBytes - 1))
        guard let start else { preconditionFailure("out of memory") }
        let before = start - room
        if before > 0 { munmap(room, before) }
        munmap(start + pageBytes, pageBytes - before)
        // A huge page needs one entry in the processor's page table cache instead of 512. A kernel without huge pages
        // refuses, which is harmless.
        _ = madvise(start, pageBytes, MADV_HUGEPAGE)
        return start
    }

    static func free(_ page: UnsafeMutableRawPointer) { munmap(page, pageBytes) }

    /// Hints to the processor that this memory is needed soon.
    @inline(__always)
    static func prefetch(_ address: UnsafeRawPointer) { waymark_prefetch(address) }
}
