// SPDX-License-Identifier: Apache-2.0

/// What a message of the bare bus holds: its number and its intended time, eight bytes each, lowest first, then filling.
///
/// One that goes one way has the tag of its run behind them, eight bytes drawn at random: on a bus that others use, or
/// that still holds messages of an earlier run, numbers alone would be taken for those of this one.
enum Payload {
    /// The smallest message that goes one way.
    static let fewestTagged = 24

    /// The smallest that says what it has to.
    static let fewest = 16

    static func make(_ size: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(size, fewest))
        // Not all the same, for what may be compressed on its way.
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

    /// Nil for bytes that are too few, have another tag, or a number that no run comes to.
    static func read(_ bytes: UnsafeRawBufferPointer, tag: UInt64) -> (number: UInt64, time: UInt64)? {
        guard bytes.count >= fewestTagged,
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: fewest, as: UInt64.self)) == tag,
            let told = read(bytes), told.number <= SequenceLedger.greatest
        else { return nil }
        return told
    }

    /// Nil for bytes that are too few.
    static func read(_ bytes: UnsafeRawBufferPointer) -> (number: UInt64, time: UInt64)? {
        guard bytes.count >= fewest else { return nil }
        return (
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
    }
}
