// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// Takes the bytes of a protobuf message one after the other.
///
/// Fields are written as the generated code writes them: the caller keeps the order of their numbers, and default
/// values are left out. Meant for the few messages that are made for every request: the generated code walks over a
/// message twice, and keeps each id in a `Data` of its own.
public protocol WireSink {
    mutating func put(_ byte: UInt8)
    mutating func put(_ bytes: UnsafeRawBufferPointer)
}

extension WireSink {
    /// Writes the shortest form: seven bits in each byte, the lowest first.
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

    /// VARINT; 0 is left out.
    @inlinable
    public mutating func number(_ field: some WireField, _ value: UInt64) {
        guard value != 0 else { return }
        tag(field, 0)
        put(varint: value)
    }

    /// VARINT; false is left out.
    @inlinable
    public mutating func flag(_ field: some WireField, _ value: Bool) { number(field, value ? 1 : 0) }

    /// I64; 0 is left out, minus zero is not.
    @inlinable
    public mutating func double(_ field: some WireField, _ value: Double) {
        if value.bitPattern != 0 { optional(field, value) }
    }

    /// I64; nil is left out, 0 is not.
    @inlinable
    public mutating func optional(_ field: some WireField, _ value: Double?) {
        guard let value else { return }
        tag(field, 1)
        Swift.withUnsafeBytes(of: value.bitPattern.littleEndian) { put($0) }
    }

    /// LEN; the empty text is left out.
    @inlinable
    public mutating func text(_ field: some WireField, _ value: String) {
        guard !value.utf8.isEmpty else { return }
        var value = value
        value.withUTF8 { message(field, UnsafeRawBufferPointer($0)) }
    }

    /// LEN, 16 bytes.
    @inlinable
    public mutating func id(_ field: some WireField, _ value: UUIDv7) {
        Swift.withUnsafeBytes(of: (value.high.bigEndian, value.low.bigEndian)) { message(field, $0) }
    }

    /// LEN: an encoded message, also an empty one.
    @inlinable
    public mutating func message(_ field: some WireField, _ encoded: [UInt8]) {
        encoded.withUnsafeBytes { message(field, $0) }
    }

    /// LEN: an encoded message, also an empty one.
    @inlinable
    public mutating func message(_ field: some WireField, _ encoded: UnsafeRawBufferPointer) {
        open(field, encoded.count)
        put(encoded)
    }

    /// Writes the tag and the length before the bytes of a message or a text.
    @inlinable
    public mutating func open(_ field: some WireField, _ count: Int) {
        tag(field, 2)
        put(varint: UInt64(count))
    }
}

extension WireSink {
    /// Writes a `Position` as a field.
    public mutating func position(_ field: some WireField, _ position: Position) {
        // The size is known in advance: two ids of 18 bytes and a number of at most 11.
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
