// SPDX-License-Identifier: Apache-2.0

import CMemory
import Glibc

/// Memory that is looked at here and there, so that where it lies costs more than what is done with it.
enum LargeMemory {
    /// What a huge page has on every machine that has them; on others it is only a large block.
    static let pageBytes = 2 * 1024 * 1024

    /// A block of that size, whose address is a multiple of it. To be deallocated by whoever takes it.
    static func page() -> UnsafeMutableRawPointer {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: pageBytes, alignment: pageBytes)
        // One entry of the processor's table of pages instead of 512. A kernel without huge pages says no: no harm.
        _ = madvise(memory, pageBytes, MADV_HUGEPAGE)
        return memory
    }

    /// Asks the processor to have this memory at hand soon.
    @inline(__always)
    static func prefetch(_ address: UnsafeRawPointer) { waymark_prefetch(address) }
}
