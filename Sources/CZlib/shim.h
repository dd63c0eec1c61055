// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <zlib.h>

/// inflateInit2 is a macro, and cannot be called from Swift. 16 beside the largest window: gzip, and nothing else.
static inline int waymark_inflate_begin(z_stream *stream) {
    return inflateInit2(stream, 16 + MAX_WBITS);
}
