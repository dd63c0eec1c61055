// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkProtocol

// The fields of headers, as protobuf encodes them. There are two headers for each request, so they are appended to bytes
// that are used again and again, in the order of their numbers, and none that has its default value.

extension [UInt8] {
    mutating func appendField(_ field: UInt8, _ number: UInt64) {
        guard number > 0 else { return }
        append(field << 3)
        append(varint: number)
    }

    mutating func appendField(_ field: UInt8, _ id: UUIDv7) {
        append(field << 3 | 2)
        append(16)
        Swift.withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian)) { append(contentsOf: $0) }
    }

    mutating func appendField(_ field: UInt8, _ text: String) {
        guard !text.isEmpty else { return }
        append(field << 3 | 2)
        append(varint: UInt64(text.utf8.count))
        append(contentsOf: text.utf8)
    }

    /// A message within, also an empty one.
    mutating func appendField(_ field: UInt8, encoded: [UInt8]) {
        append(field << 3 | 2)
        append(varint: UInt64(encoded.count))
        append(contentsOf: encoded)
    }

    mutating func appendField(_ field: UInt8, _ position: Position) {
        append(field << 3 | 2)
        // One byte: two ids of 18 and a number of at most 11.
        let rev = position.rev > 0 ? 1 + WireBuffer.size(position.rev) : 0
        append(UInt8(18 + rev + (position.run == nil ? 0 : 18)))
        appendPosition(position)
    }

    mutating func appendPosition(_ position: Position) {
        appendField(1, position.epoch)
        appendField(2, position.rev)
        if let run = position.run { appendField(3, run) }
    }

    private mutating func append(varint number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}
