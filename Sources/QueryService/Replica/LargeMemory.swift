// SPDX-License-Identifier: Apache-2.0

import CMemory
import Glibc

/// Memory for random access, where a miss in the page table or the cache costs more than the work itself.
enum LargeMemory {
    /// The size of a huge page where the machine has huge pages; elsewhere it is simply a large block.
    static let pageBytes = 2 * 1024 * 1024

    /// A block of that size, aligned to its size. The caller has to deallocate it.
    static func page() -> UnsafeMutableRawPointer {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: pageBytes, alignment: pageBytes)
        // One entry in the processor's page table cache instead of 512. A kernel without huge pages refuses, which is
        // harmless.
        _ = madvise(memory, pageBytes, MADV_HUGEPAGE)
        return memory
    }

    /// Hints to the processor that this memory is needed soon.
    @inline(__always)
    static func prefetch(_ address: UnsafeRawPointer) { waymark_prefetch(address) }
}
