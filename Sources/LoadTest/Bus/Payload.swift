// SPDX-License-Identifier: Apache-2.0

/// The content of a message: its number and its intended time, 8 little-endian bytes each, followed by random bytes.
///
/// A one-way message also contains the tag of its run, 8 random bytes. A bus may carry messages of other programs, or
/// still hold messages of an earlier run. Without the tag, their numbers could be mistaken for numbers of this run.
enum Payload {
    /// The minimum size of a one-way message in bytes.
    static let fewestTagged = 24

    /// The minimum size of a message that contains a number and a time, in bytes.
    static let fewest = 16

    static func make(_ size: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(size, fewest))
        // Fill the rest with varying bytes, because the bus may compress messages.
        var random = SeededGenerator(seed: UInt64(size))
        for index in fewest..<max(size, fewest) { bytes[index] = UInt8(truncatingIfNeeded: random.next()) }
        return bytes
    }

    /// - Parameter tag: the tag of a one-way message; nil for a request.
    static func write(_ number: UInt64, _ time: UInt64, tag: UInt64? = nil, into bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes {
            $0.storeBytes(of: number.littleEndian, toByteOffset: 0, as: UInt64.self)
            $0.storeBytes(of: time.littleEndian, toByteOffset: 8, as: UInt64.self)
            if let tag { $0.storeBytes(of: tag.littleEndian, toByteOffset: fewest, as: UInt64.self) }
        }
    }

    /// Reads a one-way message. Nil if it is too short, has a different tag, or has a number that no run reaches.
    static func read(_ bytes: UnsafeRawBufferPointer, tag: UInt64) -> (number: UInt64, time: UInt64)? {
        guard bytes.count >= fewestTagged,
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: fewest, as: UInt64.self)) == tag,
            let told = read(bytes), told.number <= SequenceLedger.greatest
        else { return nil }
        return told
    }

    /// Reads a message without a tag; nil if it is too short.
    static func read(_ bytes: UnsafeRawBufferPointer) -> (number: UInt64, time: UInt64)? {
        guard bytes.count >= fewest else { return nil }
        return (
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
    }
}
