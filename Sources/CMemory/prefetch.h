// SPDX-License-Identifier: Apache-2.0
#pragma once

// Hints to the processor for which Swift has no words.

/// Asks for this memory to be at hand soon. Only a hint: any address is allowed.
static inline void waymark_prefetch(const void *address) {
    __builtin_prefetch(address, 0, 3);
}
