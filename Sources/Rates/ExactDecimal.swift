// SPDX-License-Identifier: Apache-2.0

/// A decimal number without rounding: `units` × 10^-`places`. A `Double` cannot hold 0.1, and sums of money must not be
/// off by a cent because of that.
public struct ExactDecimal: Hashable, Sendable, CustomStringConvertible {
    public let units: Int128
    /// The number of digits after the point, 0 to ``mostPlaces``.
    public let places: Int

    /// The most digits of a number that is read. With so few, a product of two numbers and a power of ten usually fits
    /// 128 bits.
    public static let mostDigits = 18
    public static let mostPlaces = 18

    public init(units: Int128, places: Int) {
        self.units = units
        self.places = places
    }

    /// Reads `-12.50`, `1e-5` and the like: JSON's numbers, and also those with a `+` or an empty integer part.
    ///
    /// - Returns: the number; nil if the text is no such number, or needs more than ``mostDigits`` digits.
    public init?(_ text: some StringProtocol) {
        let form = /([+-]?)([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?/
        // The length is bounded, because the expression tries all ways to split a long row of digits.
        guard text.utf8.count <= 64, let match = String(text).wholeMatch(of: form) else { return nil }
        let digits = match.2 + match.3
        guard digits.utf8.count <= 40, var units = Int128(digits), units < Self.tens[Self.mostDigits],
            let exponent = Int(match.4 ?? "0"), exponent.magnitude <= Self.mostPlaces
        else { return nil }
        var places = match.3.utf8.count - exponent
        // Trailing zeros after the point change nothing, and cost room.
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

    /// All digits, with a point if there are ``places``: `-12.50`. Never in exponents.
    public var description: String {
        var digits = String(units.magnitude)
        if places > 0 {
            if digits.utf8.count <= places {
                digits = String(repeating: "0", count: places + 1 - digits.utf8.count) + digits
            }
            digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -places))
        }
        return units < 0 ? "-" + digits : digits
    }

    /// Powers of ten that fit 128 bits.
    static let tens: [Int128] = (0..<38).reduce(into: [1]) { tens, _ in tens.append(tens[tens.count - 1] * 10) }

    /// Computes `self` × `factor` / `divisor`, rounded once, at the end, half away from zero as invoices are.
    ///
    /// - Returns: the result; nil if it or an intermediate number does not fit 128 bits, or if `divisor` is zero.
    func times(_ factor: ExactDecimal, over divisor: ExactDecimal, places wanted: Int) -> ExactDecimal? {
        guard divisor.units != 0 else { return nil }
        let product = units.multipliedReportingOverflow(by: factor.units)
        guard !product.overflow else { return nil }
        var top = product.partialValue
        var bottom = divisor.units
        // top / bottom × 10^shift is the result in units of 10^-wanted.
        let shift = wanted + divisor.places - places - factor.places
        guard abs(shift) < Self.tens.count else { return nil }
        let scaled =
            shift >= 0
            ? top.multipliedReportingOverflow(by: Self.tens[shift])
            : bottom.multipliedReportingOverflow(by: Self.tens[-shift])
        guard !scaled.overflow else { return nil }
        if shift >= 0 { top = scaled.partialValue } else { bottom = scaled.partialValue }
        let (whole, rest) = top.quotientAndRemainder(dividingBy: bottom)
        let isUp = rest.magnitude >= bottom.magnitude - rest.magnitude
        let sign: Int128 = (top < 0) == (bottom < 0) ? 1 : -1
        return ExactDecimal(units: isUp ? whole + sign : whole, places: wanted)
    }
}
