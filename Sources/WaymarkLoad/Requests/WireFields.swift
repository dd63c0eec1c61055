// SPDX-License-Identifier: Apache-2.0

/// Walks over the fields of an encoded protobuf message without making objects of it: the check of an answer must cost
/// the generator little. Ends at the first byte that is none of the encoding's.
struct WireFields {
    enum Value {
        case number(UInt64)
        case fixed64(UInt64)
        case bytes(UnsafeRawBufferPointer)
    }

    private let bytes: UnsafeRawBufferPointer
    /// Where the next field begins.
    private var place = 0
    /// Whether everything was read so far.
    private(set) var isWhole = true

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// The next field's number and value; nil at the end.
    mutating func next() -> (field: UInt64, value: Value)? {
        guard place < bytes.count else { return nil }
        guard let tag = varint() else { return spoiled() }
        switch tag & 7 {
        case 0:
            guard let number = varint() else { return spoiled() }
            return (tag >> 3, .number(number))
        case 1:
            guard bytes.count - place >= 8 else { return spoiled() }
            defer { place += 8 }
            return (
                tag >> 3, .fixed64(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
            )
        case 2:
            guard let count = varint(), count <= UInt64(bytes.count - place) else { return spoiled() }
            defer { place += Int(count) }
            return (tag >> 3, .bytes(UnsafeRawBufferPointer(rebasing: bytes[place..<place + Int(count)])))
        case 5:
            guard bytes.count - place >= 4 else { return spoiled() }
            defer { place += 4 }
            return (
                tag >> 3,
                .number(UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))))
            )
        default: return spoiled()
        }
    }

    private mutating func spoiled() -> (field: UInt64, value: Value)? {
        isWhole = false
        place = bytes.count
        return nil
    }

    private mutating func varint() -> UInt64? { Self.varint(bytes, &place) }

    /// Ten bytes at most, as protobuf has it; nil for one that does not end.
    static func varint(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) -> UInt64? {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        while place < bytes.count, shift < 70 {
            let byte = bytes[place]
            place += 1
            value |= UInt64(byte & 0x7f) << shift
            if byte & 0x80 == 0 { return value }
            shift += 7
        }
        return nil
    }
}
