// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// Receives the bytes of a protobuf message one after the other.
///
/// Fields are written as the generated code writes them: default values are left out, and the caller must write the
/// fields in the order of their numbers. Meant for the few messages that are made for every request, because the
/// generated code goes over a message twice, and keeps each id in a `Data` of its own.
public protocol WireSink {
    mutating func put(_ byte: UInt8)
    mutating func put(_ bytes: UnsafeRawBufferPointer)
}

extension WireSink {
    /// Writes a varint in its shortest form: seven bits in each byte, the lowest bits first.
    @inlinable
    public mutating func put(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            put(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        put(UInt8(truncatingIfNeeded: rest))
    }

    @inlinable
    mutating func tag(_ field: some WireField, _ type: UInt64) { put(varint: field.rawValue << 3 | type) }

    /// Writes a VARINT field, unless the value is 0.
    @inlinable
    public mutating func number(_ field: some WireField, _ value: UInt64) {
        guard value != 0 else { return }
        tag(field, 0)
        put(varint: value)
    }

    /// Writes a VARINT field, unless the value is false.
    @inlinable
    public mutating func flag(_ field: some WireField, _ value: Bool) { number(field, value ? 1 : 0) }

    /// Writes an I64 field, unless the value is 0. Minus zero is written.
    @inlinable
    public mutating func double(_ field: some WireField, _ value: Double) {
        if value.bitPattern != 0 { optional(field, value) }
    }

    /// Writes an I64 field, unless the value is nil. 0 is written.
    @inlinable
    public mutating func optional(_ field: some WireField, _ value: Double?) {
        guard let value else { return }
        tag(field, 1)
        Swift.withUnsafeBytes(of: value.bitPattern.littleEndian) { put($0) }
    }

    /// Writes a LEN field, unless the text is empty.
    @inlinable
    public mutating func text(_ field: some WireField, _ value: String) {
        guard !value.utf8.isEmpty else { return }
        var value = value
        value.withUTF8 { message(field, UnsafeRawBufferPointer($0)) }
    }

    /// Writes a LEN field of 16 bytes.
    @inlinable
    public mutating func id(_ field: some WireField, _ value: UUIDv7) {
        Swift.withUnsafeBytes(of: (value.high.bigEndian, value.low.bigEndian)) { message(field, $0) }
    }

    /// Writes a LEN field with an encoded message, even if the message is empty.
    @inlinable
    public mutating func message(_ field: some WireField, _ encoded: [UInt8]) {
        encoded.withUnsafeBytes { message(field, $0) }
    }

    /// Writes a LEN field with an encoded message, even if the message is empty.
    @inlinable
    public mutating func message(_ field: some WireField, _ encoded: UnsafeRawBufferPointer) {
        open(field, encoded.count)
        put(encoded)
    }

    /// Writes the tag and the length of a LEN field, whose bytes must follow.
    @inlinable
    public mutating func open(_ field: some WireField, _ count: Int) {
        tag(field, 2)
        put(varint: UInt64(count))
    }

    /// Writes a `Position` as a field.
    public mutating func position(_ field: some WireField, _ position: Position) {
        // The size is known in advance: up to two ids with 18 bytes each, and a number with at most 11 bytes.
        let rev = position.rev > 0 ? 1 + WireBuffer.size(position.rev) : 0
        open(field, 18 + rev + (position.run == nil ? 0 : 18))
        put(position)
    }

    /// Writes the fields of a `Position`.
    public mutating func put(_ position: Position) {
        id(PositionField.epoch, position.epoch)
        number(PositionField.rev, position.rev)
        if let run = position.run { id(PositionField.run, run) }
    }
}
