// SPDX-License-Identifier: Apache-2.0

/// A decimal number without rounding errors: `units` × 10^-`places`. A `Double` cannot represent 0.1 exactly, and
/// amounts of money must not be wrong by a cent because of that.
public struct ExactDecimal: Hashable, Sendable, CustomStringConvertible {
    public let units: Int128
    /// The number of decimals, from 0 to ``mostPlaces``.
    public let places: Int

    /// The maximum number of digits of a number that is read. With so few digits, a product of two numbers and a power
    /// of ten usually fits into 128 bits.
    public static let mostDigits = 18
    public static let mostPlaces = 18
    public static let one = ExactDecimal(units: 1, places: 0)

    public init(units: Int128, places: Int) {
        self.units = units
        self.places = places
    }

    /// Reads a number such as `-12.50` or `1e-5`. Besides JSON's numbers, a `+` and an empty integer part are accepted.
    ///
    /// - Returns: the number; nil if the text is no such number, or needs more than ``mostDigits`` digits.
    public init?(_ text: some StringProtocol) {
        let form = /([+-]?)([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?/
        // Limit the length, because the regular expression tries all ways to split a long sequence of digits.
        guard text.utf8.count <= 64, let match = String(text).wholeMatch(of: form) else { return nil }
        let digits = match.2 + match.3
        guard digits.utf8.count <= 40, var units = Int128(digits), units < Self.tens[Self.mostDigits],
            let exponent = Int(match.4 ?? "0"), exponent.magnitude <= Self.mostPlaces
        else { return nil }
        var places = match.3.utf8.count - exponent
        // Remove zeros at the end of the decimals: they change nothing, but need space.
        while places > 0, units % 10 == 0 {
            units /= 10
            places -= 1
        }
        if places < 0 {
            guard -places <= Self.mostDigits else { return nil }
            units *= Self.tens[-places]
            places = 0
        }
        guard places <= Self.mostPlaces, units < Self.tens[Self.mostDigits] else { return nil }
        self.init(units: match.1 == "-" ? -units : units, places: places)
    }

    /// The number with all its digits, and a point if it has ``places``: `-12.50`. Never with an exponent.
    public var description: String {
        var digits = String(units.magnitude)
        digits = String(repeating: "0", count: max(0, places + 1 - digits.utf8.count)) + digits
        if places > 0 { digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -places)) }
        return units < 0 ? "-" + digits : digits
    }

    /// The powers of ten that fit into 128 bits.
    static let tens: [Int128] = (0..<38).reduce(into: [1]) { tens, _ in tens.append(tens[tens.count - 1] * 10) }

    /// Computes `self` × `factor` / `divisor`. Rounds only the result, half away from zero, as is usual for invoices.
    ///
    /// - Returns: the result; nil if it or an intermediate number does not fit into 128 bits, or if `divisor` is zero.
    func times(_ factor: ExactDecimal, over divisor: ExactDecimal, places wanted: Int) -> ExactDecimal? {
        guard divisor.units != 0 else { return nil }
        // The product, divided by the divisor and multiplied by 10^shift, is the result in units of 10^-wanted.
        let shift = wanted + divisor.places - places - factor.places
        guard abs(shift) < Self.tens.count else { return nil }
        let (product, isTooLarge) = units.multipliedReportingOverflow(by: factor.units)
        let (top, isTopTooLarge) = product.multipliedReportingOverflow(by: Self.tens[max(0, shift)])
        let (bottom, isBottomTooLarge) = divisor.units.multipliedReportingOverflow(by: Self.tens[max(0, -shift)])
        guard !isTooLarge, !isTopTooLarge, !isBottomTooLarge else { return nil }
        let (whole, rest) = top.quotientAndRemainder(dividingBy: bottom)
        let isUp = rest.magnitude >= bottom.magnitude - rest.magnitude
        let sign: Int128 = (top < 0) == (bottom < 0) ? 1 : -1
        return ExactDecimal(units: isUp ? whole + sign : whole, places: wanted)
    }
}
