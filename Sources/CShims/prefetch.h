// SPDX-License-Identifier: Apache-2.0
#pragma once

// Processor hints that Swift cannot express.

/// Hints that this memory is needed soon. It is only a hint: any address is allowed.
static inline void waymark_prefetch(const void *address) {
    __builtin_prefetch(address, 0, 3);
}
