// SPDX-License-Identifier: Apache-2.0

/// Numbers at which arithmetic goes wrong.
public enum Extremes {
    /// The bits of integers: the ends of each width and of what fits a `Double`, the ends of times, and their neighbours.
    public static let words: [UInt64] = {
        let powers = [0, 7, 8, 15, 16, 20, 31, 32, 40, 52, 53, 54, 61, 62, 63].map { UInt64(1) << $0 }
        // The ends of 2200 and 9999, in milliseconds; half of the greatest number in thousands.
        let others: [UInt64] = [0, 86_400_000, 7_258_118_400_000, 253_402_300_799_999, .max / 1_000, .max]
        return Array(Set((powers + others).flatMap { [$0 &- 1, $0, $0 &+ 1, 0 &- $0] })).sorted()
    }()

    public static let doubles: [Double] = {
        let ends: [Double] = [
            0, 1, 90, 180, 360, 540, 48_280.32, 20_037_508, 0x1p31, 0x1p32, 0x1p53, 0x1p63, 0x1p64, 1e300,
            .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude,
        ]
        return ends.flatMap { [$0, -$0, $0.nextUp, $0.nextDown, -$0.nextUp, -$0.nextDown] }
            + [.nan, -.nan, .signalingNaN, .infinity, -.infinity]
    }()
}

extension SplitMix64 {
    public mutating func element<Element>(of all: [Element]) -> Element { all[Int(next() % UInt64(all.count))] }

    /// True with a probability of one in `chances`.
    public mutating func isOne(of chances: UInt64) -> Bool { next() % chances == 0 }

    /// Replaces eight bytes by an extreme number: bytes that are likely to be a number, counted from either end, or
    /// any.
    public mutating func putExtreme(into bytes: inout [UInt8]) {
        guard bytes.count >= 8 else { return }
        let word =
            isOne(of: 3)
            ? element(of: [.max, .max >> 1, 1 << 63])
            : isOne(of: 2) ? element(of: Extremes.words) : element(of: Extremes.doubles).bitPattern
        let most = bytes.count - 8
        // Begins behind a byte that tells a kind, or at a multiple of eight from the end, or anywhere.
        let first = element(of: [1, bytes.count % 8, Int(next() % 8)])
        let start = min(most, first + 8 * Int(next() % UInt64(bytes.count / 8)))
        for place in 0..<8 { bytes[start + place] = UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * place)) }
    }
}
