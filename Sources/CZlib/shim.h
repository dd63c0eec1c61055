// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <zlib.h>

/// inflateInit2 is a macro, and cannot be called from Swift. Adding 16 to the largest
/// window accepts gzip, and nothing else.
static inline int waymark_inflate_begin(z_stream *stream) {
    return inflateInit2(stream, 16 + MAX_WBITS);
}

/// A negative size of the window stands for deflate without a head, as files in zip archives have it.
static inline int waymark_inflate_raw_begin(z_stream *stream) {
    return inflateInit2(stream, -MAX_WBITS);
}

/// deflateInit2 is a macro too.
static inline int waymark_deflate_begin(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
}
