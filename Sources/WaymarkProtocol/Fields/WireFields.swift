// SPDX-License-Identifier: Apache-2.0

/// Iterates over the fields of an encoded protobuf message, without making objects of the generated code.
///
/// Meant for the few messages that occur a hundred thousand times a second. Groups are not supported, because proto3
/// has none. If ``isWhole`` is false, the generated code has to decide whether the message is valid.
public struct WireFields {
    public enum Value {
        /// A field of wire type VARINT.
        case number(UInt64)
        /// A field of wire type I32, which no message of this protocol has.
        case fixed32(UInt32)
        /// A field of wire type I64.
        case fixed64(UInt64)
        /// A field of wire type LEN. Valid as long as the bytes of the message.
        case bytes(UnsafeRawBufferPointer)
    }

    @usableFromInline var place: UnsafeRawPointer
    @usableFromInline let end: UnsafeRawPointer
    /// Whether everything read so far was valid. Stays false after the first byte that is not a protobuf encoding.
    public internal(set) var isWhole = true

    /// - Parameter bytes: valid as long as this value is used.
    public init(_ bytes: UnsafeRawBufferPointer) {
        // For an empty message any pointer will do, because nothing is ever read from it.
        place = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)!
        end = place + bytes.count
    }

    /// The bytes that have not been read yet.
    @inlinable
    public var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: place, count: end - place) }

    /// Returns the number of the first field, if that field is a text, an id or a message; otherwise nil. The rest is
    /// not checked.
    public static func opening(_ bytes: UnsafeRawBufferPointer) -> UInt64? {
        var fields = WireFields(bytes)
        guard let tag = fields.varint(), tag & 7 == 2 else { return nil }
        return tag >> 3
    }

    /// Returns the message in this field, if the bytes contain this field and no other; otherwise nil.
    public static func only(_ field: some WireField, of bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        var fields = WireFields(bytes)
        guard case (field.rawValue, .bytes(let message))? = fields.next(), fields.next() == nil, fields.isWhole
        else { return nil }
        return message
    }

    /// Reads the next field and returns its number and value; nil at the end.
    @inlinable
    @inline(__always)
    public mutating func next() -> (field: UInt64, value: Value)? {
        guard place < end else { return nil }
        guard let tag = varint(), tag >> 3 > 0, tag <= UInt32.max else { return spoiled() }
        switch tag & 7 {
        case 0:
            guard let number = varint() else { return spoiled() }
            return (tag >> 3, .number(number))
        case 1:
            guard end - place >= 8 else { return spoiled() }
            defer { place += 8 }
            return (tag >> 3, .fixed64(UInt64(littleEndian: place.loadUnaligned(as: UInt64.self))))
        case 2:
            guard let count = varint(), count <= UInt64(end - place) else { return spoiled() }
            defer { place += Int(count) }
            return (tag >> 3, .bytes(UnsafeRawBufferPointer(start: place, count: Int(count))))
        case 5:
            guard end - place >= 4 else { return spoiled() }
            defer { place += 4 }
            return (tag >> 3, .fixed32(UInt32(littleEndian: place.loadUnaligned(as: UInt32.self))))
        default: return spoiled()
        }
    }

    /// Returns the next message in this field, skipping other fields; nil at the end.
    @inlinable
    public mutating func next(_ field: some WireField) -> UnsafeRawBufferPointer? {
        while let (number, value) = next() {
            if number == field.rawValue, case .bytes(let message) = value { return message }
        }
        return nil
    }

    @usableFromInline
    mutating func spoiled() -> (field: UInt64, value: Value)? {
        isWhole = false
        place = end
        return nil
    }

    @inlinable
    @inline(__always)
    mutating func varint() -> UInt64? {
        // Nearly all tags and lengths have one byte.
        guard place < end else { return nil }
        let first = place.load(as: UInt8.self)
        guard first >= 0x80 else {
            place += 1
            return UInt64(first)
        }
        return longVarint()
    }

    @usableFromInline
    mutating func longVarint() -> UInt64? {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        while place < end, shift < 70 {
            let byte = place.load(as: UInt8.self)
            place += 1
            // A varint has at most ten bytes, as in protobuf, and the tenth has only one bit.
            guard shift < 63 || byte <= 1 else { return nil }
            value |= UInt64(byte & 0x7f) << shift
            if byte & 0x80 == 0 { return value }
            shift += 7
        }
        return nil
    }

    /// Takes the next bytes, which belong to no field. Nil if there are fewer.
    mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count <= end - place else { return nil }
        defer { place += count }
        return UnsafeRawBufferPointer(start: place, count: count)
    }
}
