// SPDX-License-Identifier: Apache-2.0

/// Walks over the fields of an encoded protobuf message without making objects of it, where there are very many of
/// them. Ends at the first byte that is none of the encoding's.
public struct WireFields {
    public enum Value {
        case number(UInt64)
        case fixed64(UInt64)
        case bytes(UnsafeRawBufferPointer)
    }

    private var rest: UnsafeRawBufferPointer
    /// Whether everything was read so far.
    public internal(set) var isWhole = true

    public init(_ bytes: UnsafeRawBufferPointer) {
        rest = bytes
    }

    /// The next field's number and value; nil at the end.
    public mutating func next() -> (field: UInt64, value: Value)? {
        guard !rest.isEmpty else { return nil }
        guard let tag = varint() else { return spoiled() }
        switch tag & 7 {
        case 0:
            guard let number = varint() else { return spoiled() }
            return (tag >> 3, .number(number))
        case 1:
            guard rest.count >= 8 else { return spoiled() }
            defer { rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(8)) }
            return (tag >> 3, .fixed64(UInt64(littleEndian: rest.loadUnaligned(as: UInt64.self))))
        case 2:
            guard let count = varint(), count <= UInt64(rest.count) else { return spoiled() }
            defer { rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(Int(count))) }
            return (tag >> 3, .bytes(UnsafeRawBufferPointer(rebasing: rest.prefix(Int(count)))))
        case 5:
            guard rest.count >= 4 else { return spoiled() }
            defer { rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(4)) }
            return (tag >> 3, .number(UInt64(UInt32(littleEndian: rest.loadUnaligned(as: UInt32.self)))))
        default: return spoiled()
        }
    }

    private mutating func spoiled() -> (field: UInt64, value: Value)? {
        isWhole = false
        rest = UnsafeRawBufferPointer(start: nil, count: 0)
        return nil
    }

    /// Ten bytes at most, as protobuf has it.
    private mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        for index in 0..<min(10, rest.count) {
            let byte = rest[index]
            value |= UInt64(byte & 0x7f) << (7 * UInt64(index))
            if byte & 0x80 == 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(index + 1))
                return value
            }
        }
        return nil
    }
}
