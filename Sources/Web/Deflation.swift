// SPDX-License-Identifier: Apache-2.0

internal import CZlib

/// Compresses answers with gzip.
enum Deflation {
    /// The minimum size in bytes of a body that is worth compressing.
    static let leastBytes = 1_024

    /// Returns the compressed bytes; nil if there is not enough memory.
    ///
    /// - Parameter isLasting: whether the receiver keeps the bytes, so that small ones are worth more time. Otherwise
    ///   answers are packed quickly, because somebody waits.
    static func gzip(_ bytes: [UInt8], isLasting: Bool = false) -> [UInt8]? {
        var stream = z_stream()
        guard waymark_deflate_begin(&stream, isLasting ? 6 : 1) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        let room = Int(deflateBound(&stream, UInt(bytes.count)))
        var isWhole = false
        let packed = [UInt8](unsafeUninitializedCapacity: room) { output, count in
            bytes.withUnsafeBufferPointer { input in
                // zlib only reads from its input.
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(room)
                isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
                count = room - Int(stream.avail_out)
            }
        }
        return isWhole ? packed : nil
    }
}
