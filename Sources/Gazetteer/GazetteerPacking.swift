// SPDX-License-Identifier: Apache-2.0

internal import CZlib

/// The outer form of a gazetteer file: a mark, the unpacked size, and a zlib stream, whose checksum detects damage.
package enum GazetteerPacking {
    package static let mark: [UInt8] = Array("WAYGAZ1\n".utf8)
    /// The maximum number of unpacked bytes. All of GeoNames's cities500 needs a quarter of it.
    package static let mostBytes = 48 << 20
    static let mostPackedBytes = 32 << 20

    static func unpacked(_ file: UnsafeBufferPointer<UInt8>) throws(GazetteerError) -> [UInt8] {
        let begin = mark.count + 4
        guard file.count > begin, file.count <= mostPackedBytes, file.prefix(mark.count).elementsEqual(mark) else {
            throw .damaged
        }
        let length = (0..<4).reduce(0) { $0 | Int(file[mark.count + $1]) << (8 * $1) }
        guard (1...mostBytes).contains(length), let body = file.baseAddress else { throw .damaged }
        var size = UInt(length)
        var status = Z_OK
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            // zlib writes at most `size` bytes, which is the capacity, and reads exactly the bytes that follow `begin`.
            status = uncompress(buffer.baseAddress, &size, body + begin, UInt(file.count - begin))
            count = status == Z_OK ? Int(size) : 0
        }
        guard status == Z_OK, bytes.count == length else { throw .damaged }
        return bytes
    }
}
