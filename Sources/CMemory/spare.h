// SPDX-License-Identifier: Apache-2.0
#pragma once
#if defined(__GLIBC__) || defined(__gnu_linux__)
#include <malloc.h>
#endif

/// Gives what the C library keeps of freed memory back to the system, where it has a word for that.
static inline void waymark_give_memory_back(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
