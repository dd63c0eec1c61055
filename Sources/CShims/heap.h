// SPDX-License-Identifier: Apache-2.0
#pragma once
#if defined(__GLIBC__) || defined(__gnu_linux__)
#include <malloc.h>
#endif

/// Returns freed memory that the C library still holds to the system. Does nothing where the library has no such
/// call.
static inline void waymark_trim_heap(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
