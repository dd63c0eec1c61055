// SPDX-License-Identifier: Apache-2.0
#pragma once
#if defined(__GLIBC__) || defined(__gnu_linux__)
#include <malloc.h>
#endif

/// Fixes the size in bytes from which a block comes from the system and returns to it at once, and the size of the free
/// memory that may stay at a heap's end. Otherwise each large block that is freed raises both, up to 32 and 64 MiB, and
/// `malloc_trim` does not return the ends of other threads' heaps. mallopt(3) is unsafe only while the heap is set up,
/// which the first allocation of the process did; each call writes one word.
static inline void waymark_limit_heap(int block, int end) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, block);
    mallopt(M_TRIM_THRESHOLD, end);
#endif
}

/// Returns freed memory that the C library still holds to the system. Does nothing where the library has no such
/// call.
static inline void waymark_trim_heap(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
