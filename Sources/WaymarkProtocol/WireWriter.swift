// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// Writes the fields of a protobuf message one after the other, as the generated code does: in the order of their
/// numbers, and none that has its default value.
///
/// For the few messages that are made for every write. The generated code walks over a message twice, and keeps each id
/// in a `Data` of its own: that took four times as long as SQLite takes to store the row.
struct WireWriter {
    private(set) var bytes: [UInt8]

    init(expecting count: Int) {
        bytes = []
        bytes.reserveCapacity(count)
    }

    mutating func number(_ field: UInt8, _ value: UInt64) {
        guard value != 0 else { return }
        bytes.append(field << 3)
        varint(value)
    }

    mutating func flag(_ field: UInt8, _ value: Bool) { number(field, value ? 1 : 0) }

    /// Minus zero is not the default.
    mutating func double(_ field: UInt8, _ value: Double) {
        if value.bitPattern != 0 { optional(field, value) }
    }

    /// A field that tells its default value from none.
    mutating func optional(_ field: UInt8, _ value: Double) {
        bytes.append(field << 3 | 1)
        withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func text(_ field: UInt8, _ value: String) {
        let utf8 = value.utf8
        guard !utf8.isEmpty else { return }
        open(field, utf8.count)
        bytes.append(contentsOf: utf8)
    }

    mutating func id(_ field: UInt8, _ value: UUIDv7) {
        open(field, 16)
        withUnsafeBytes(of: (value.high.bigEndian, value.low.bigEndian)) { bytes.append(contentsOf: $0) }
    }

    /// A message within this one, encoded; also an empty one.
    mutating func message(_ field: UInt8, _ value: [UInt8]) {
        open(field, value.count)
        bytes.append(contentsOf: value)
    }

    /// What comes before the bytes of a message or a text.
    mutating func open(_ field: UInt8, _ count: Int) {
        // A tag is a varint too: of two bytes from field 16 on.
        varint(UInt64(field) << 3 | 2)
        varint(UInt64(count))
    }

    private mutating func varint(_ value: UInt64) {
        var value = value
        while value >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        bytes.append(UInt8(value))
    }
}
