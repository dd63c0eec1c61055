// SPDX-License-Identifier: Apache-2.0

/// The bytes of a message: its number and its intended time, eight bytes each, least significant first, then filling.
///
/// A one-way message also has the tag of its run, eight bytes drawn at random. A bus may carry the messages of others,
/// or still hold those of an earlier run, and their numbers alone would look like numbers of this run.
enum Payload {
    /// The size of the smallest one-way message.
    static let fewestTagged = 24

    /// The size of the smallest message that holds a number and a time.
    static let fewest = 16

    static func make(_ size: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(size, fewest))
        // Fill with different bytes, because the bus may compress.
        var random = SeededGenerator(seed: UInt64(size))
        for index in fewest..<max(size, fewest) { bytes[index] = UInt8(truncatingIfNeeded: random.next()) }
        return bytes
    }

    static func write(_ number: UInt64, _ time: UInt64, into bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes {
            $0.storeBytes(of: number.littleEndian, toByteOffset: 0, as: UInt64.self)
            $0.storeBytes(of: time.littleEndian, toByteOffset: 8, as: UInt64.self)
        }
    }

    static func write(_ number: UInt64, _ time: UInt64, tag: UInt64, into bytes: inout [UInt8]) {
        write(number, time, into: &bytes)
        bytes.withUnsafeMutableBytes { $0.storeBytes(of: tag.littleEndian, toByteOffset: fewest, as: UInt64.self) }
    }

    /// Nil if the bytes are too few, have another tag, or a number that no run reaches.
    static func read(_ bytes: UnsafeRawBufferPointer, tag: UInt64) -> (number: UInt64, time: UInt64)? {
        guard bytes.count >= fewestTagged,
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: fewest, as: UInt64.self)) == tag,
            let told = read(bytes), told.number <= SequenceLedger.greatest
        else { return nil }
        return told
    }

    /// Nil if the bytes are too few.
    static func read(_ bytes: UnsafeRawBufferPointer) -> (number: UInt64, time: UInt64)? {
        guard bytes.count >= fewest else { return nil }
        return (
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
    }
}
