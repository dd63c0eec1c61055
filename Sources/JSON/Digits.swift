// SPDX-License-Identifier: Apache-2.0

/// Writes numbers as ASCII digits, without making a `String`.
enum Digits {
    /// The maximum number of bytes of a number that is written without a width.
    static let most = 24

    /// Writes the digits of a number, and returns how many there are.
    ///
    /// - Parameters:
    ///   - width: the minimum number of digits. Shorter numbers are filled up with zeros.
    ///   - place: has room for `width` bytes, and for ``most``.
    static func write(_ number: UInt64, width: Int = 1, to place: UnsafeMutablePointer<UInt8>) -> Int {
        var (count, bound): (Int, UInt64) = (1, 10)
        while number >= bound, count < 20 { (count, bound) = (count + 1, bound &* 10) }
        count = max(count, width)
        var rest = number
        for at in stride(from: count - 1, through: 0, by: -1) {
            place[at] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        return count
    }

    /// Writes the shortest digits from which the same number can be read, and returns how many bytes there are. Nil,
    /// and nothing is written, unless the number has at most 7 decimals, as most coordinates have.
    ///
    /// No two numbers of at most 15 digits are the same `Double`, so digits that give the number are its shortest.
    static func write(decimal number: Double, to place: UnsafeMutablePointer<UInt8>) -> Int? {
        let size = abs(number)
        // Smaller numbers are written with an exponent, larger ones could have more than 15 digits.
        guard size >= 0.001, size < 1e8 else { return nil }
        let scaled = UInt64(size * 1e7 + 0.5)
        guard Double(scaled) / 1e7 == size else { return nil }
        let (whole, rest) = scaled.quotientAndRemainder(dividingBy: 10_000_000)
        var (count, decimals, fraction) = (0, 7, rest)
        if number < 0 { (place[0], count) = (UInt8(ascii: "-"), 1) }
        count += write(whole, to: place + count)
        place[count] = UInt8(ascii: ".")
        while decimals > 1, fraction % 10 == 0 { (fraction, decimals) = (fraction / 10, decimals - 1) }
        return count + 1 + write(fraction, width: decimals, to: place + count + 1)
    }
}
