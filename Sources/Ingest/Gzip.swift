// SPDX-License-Identifier: Apache-2.0

import CZlib

/// Unpacks gzip (RFC 1952) up to a limit, because a few kilobytes may unpack to gigabytes.
enum Gzip {
    private static let magic: [UInt8] = [0x1f, 0x8b]
    private static let chunk = 1 << 20

    /// Returns the unpacked bytes of all members. A file has several members if gzip files were concatenated.
    ///
    /// - Parameter limit: the maximum number of unpacked bytes.
    static func unpack(_ body: [UInt8], limit: Int) throws(SourceFormatError) -> [UInt8] {
        var stream = z_stream()
        guard waymark_inflate_begin(&stream) == Z_OK else { throw .badGzip("there is no memory to unpack it") }
        defer { inflateEnd(&stream) }
        var unpacked: [UInt8] = []
        var read = 0
        while true {
            let step = inflate(body[read...], into: &unpacked, &stream)
            read += step.read
            guard unpacked.count <= limit else { throw .unpackedTooLarge(limit: limit) }
            switch step.status {
            case Z_STREAM_END:
                // Zeros after a member are padding, because some programs fill up the last block.
                if body[read...].allSatisfy({ $0 == 0 }) { return unpacked }
                guard body[read...].starts(with: magic), inflateReset(&stream) == Z_OK else {
                    throw .badGzip("something follows its end")
                }
            case Z_OK: continue
            // zlib made no progress although there was room for its output, so the input is incomplete.
            case Z_BUF_ERROR: throw .badGzip("it is cut off: fetch it again")
            case Z_MEM_ERROR: throw .badGzip("there is no memory to unpack it")
            default: throw .badGzip("it is damaged: fetch it again")
            }
        }
    }

    /// Unpacks at most one chunk.
    ///
    /// - Returns: zlib's status, and how many bytes of `body` were read.
    static func inflate(
        _ body: ArraySlice<UInt8>, into unpacked: inout [UInt8], _ stream: inout z_stream
    ) -> (status: Int32, read: Int) {
        // zlib's counts are 32-bit.
        let available = min(body.count, Int(Int32.max))
        var status = Z_OK
        let part = [UInt8](unsafeUninitializedCapacity: chunk) { output, count in
            body.withUnsafeBufferPointer { input in
                // zlib only reads from next_in. Both pointers are used only within this call.
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(available)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(chunk)
                status = CZlib.inflate(&stream, Z_NO_FLUSH)
                stream.next_in = nil
                stream.next_out = nil
            }
            count = chunk - Int(stream.avail_out)
        }
        unpacked += part
        return (status, available - Int(stream.avail_in))
    }
}
