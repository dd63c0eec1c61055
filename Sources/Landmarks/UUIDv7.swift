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
        func words(_ raw: UnsafeRawBufferPointer) -> (high: UInt64, low: UInt64) {
            (
                UInt64(bigEndian: raw.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        let read =
            bytes.withContiguousStorageIfAvailable { words(UnsafeRawBufferPointer($0)) }
            ?? [UInt8](bytes).withUnsafeBytes(words)
        self.init(high: read.high, low: read.low)
    }

    /// The 16 bytes in network order. Comparing them orders ids by time.
    public var bytes: [UInt8] { withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { [UInt8]($0) } }

    public static func < (left: Self, right: Self) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    /// The canonical form, such as `01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5`.
    public var description: String {
        String(unsafeUninitializedCapacity: 36) { $0.baseAddress.map(write) ?? 0 }
    }

    /// Writes the 36 bytes of the canonical form in ASCII, and returns their number.
    package func write(to bytes: UnsafeMutablePointer<UInt8>) -> Int {
        var count = 0
        for place: UInt64 in 0..<32 {
            if place == 8 || place == 12 || place == 16 || place == 20 {
                bytes[count] = UInt8(ascii: "-")
                count += 1
            }
            let word = place < 16 ? high : low
            let digit = UInt8(truncatingIfNeeded: word &>> (60 - 4 * (place & 15))) & 15
            bytes[count] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
            count += 1
        }
        return count
    }

    /// Reads 32 hexadecimal digits in either case, with the four hyphens of the canonical form or with none.
    public init?(_ text: String) {
        var digits = Array(text)
        if text.utf8.count == 36 {
            guard digits.count == 36, [8, 13, 18, 23].allSatisfy({ digits[$0] == "-" }) else { return nil }
            digits.removeAll { $0 == "-" }
        }
        guard digits.count == 32 else { return nil }
        var words: [UInt64] = [0, 0]
        for (index, character) in digits.enumerated() {
            guard character.isASCII, let digit = character.hexDigitValue else { return nil }
            words[index / 16] = words[index / 16] << 4 | UInt64(digit)
        }
        self.init(high: words[0], low: words[1])
    }
}
