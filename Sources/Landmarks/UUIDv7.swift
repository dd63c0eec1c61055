// SPDX-License-Identifier: Apache-2.0

/// Sixteen bytes laid out as a version 7 UUID (RFC 9562, 5.7): 48 bits of Unix milliseconds, then 74 random bits.
///
/// An id begins with the time, so that new rows are added at the end of SQLite's tree. With random ids the same loop
/// stores a quarter of the rows per second.
public struct UUIDv7: Hashable, Sendable, Comparable, LosslessStringConvertible {
    public let high: UInt64
    public let low: UInt64

    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads 16 bytes in network order; nil if there are more or fewer bytes.
    // Inlinable, so that it is specialized for the collection and becomes two loads. Each request reads several ids.
    @inlinable
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        let words = bytes.withContiguousStorageIfAvailable { buffer in
            let raw = UnsafeRawBufferPointer(buffer)
            return (
                UInt64(bigEndian: raw.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        if let (high, low) = words {
            self.init(high: high, low: low)
            return
        }
        var (high, low): (UInt64, UInt64) = (0, 0)
        for byte in bytes {
            high = high << 8 | low >> 56
            low = low << 8 | UInt64(byte)
        }
        self.init(high: high, low: low)
    }

    /// The 16 bytes in network order. Comparing them orders ids by time.
    public var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            for index in 0..<8 {
                buffer[index] = UInt8(truncatingIfNeeded: high >> (56 - 8 * UInt64(index)))
                buffer[index + 8] = UInt8(truncatingIfNeeded: low >> (56 - 8 * UInt64(index)))
            }
            count = 16
        }
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    /// The canonical form, such as `01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5`.
    public var description: String {
        String(unsafeUninitializedCapacity: 36) { text in
            text.baseAddress.map { write(to: $0) }
            return text.baseAddress == nil ? 0 : 36
        }
    }

    /// Writes the 36 bytes of the canonical form in ASCII.
    package func write(to place: UnsafeMutablePointer<UInt8>) {
        let raw = UnsafeMutableRawPointer(place)
        let (second, third) = (Self.digits(high), Self.digits(low >> 32))
        raw.storeBytes(of: Self.digits(high >> 32), as: UInt64.self)
        raw.storeBytes(of: UInt32(truncatingIfNeeded: second), toByteOffset: 9, as: UInt32.self)
        raw.storeBytes(of: UInt32(second >> 32), toByteOffset: 14, as: UInt32.self)
        raw.storeBytes(of: UInt32(truncatingIfNeeded: third), toByteOffset: 19, as: UInt32.self)
        raw.storeBytes(of: UInt32(third >> 32), toByteOffset: 24, as: UInt32.self)
        raw.storeBytes(of: Self.digits(low), toByteOffset: 28, as: UInt64.self)
        for hyphen in [8, 13, 18, 23] { place[hyphen] = UInt8(ascii: "-") }
    }

    /// Returns the eight digits of the lower half, the first in the lowest byte: spreads the half to a digit for each
    /// byte, then makes all eight ASCII at once.
    private static func digits(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var spread = UInt64(UInt32(truncatingIfNeeded: word).byteSwapped)
        spread = (spread | spread << 16) & 0x0000_ffff_0000_ffff
        spread = (spread | spread << 8) & 0x00ff_00ff_00ff_00ff
        spread = (spread >> 4 | spread << 8) & (ones &* 0x0f)
        let letters = (spread &+ ones &* 6) >> 4 & ones
        return spread &+ ones &* 0x30 &+ letters &* 0x27
    }

    /// Reads 32 hexadecimal digits in either case, with the four hyphens of the canonical form or with none.
    public init?(_ text: String) {
        let compact: [Character]
        if text.utf8.count == 36 {
            let characters = Array(text)
            guard characters.count == 36, [8, 13, 18, 23].allSatisfy({ characters[$0] == "-" }) else { return nil }
            compact = characters.filter { $0 != "-" }
        } else {
            compact = Array(text)
        }
        guard compact.count == 32 else { return nil }
        var words: [UInt64] = [0, 0]
        for (index, character) in compact.enumerated() {
            guard character.isASCII, let digit = character.hexDigitValue else { return nil }
            words[index / 16] = words[index / 16] << 4 | UInt64(digit)
        }
        self.init(high: words[0], low: words[1])
    }
}
