// SPDX-License-Identifier: Apache-2.0

/// A decimal number without rounding: `units` × 10^-`places`. A `Double` has no 0.1, and sums of money are not to be
/// off by a cent for that.
public struct ExactDecimal: Hashable, Sendable, CustomStringConvertible {
    public let units: Int128
    /// Digits behind the point, 0 to ``mostPlaces``.
    public let places: Int

    /// The most digits of a number that is read, so that a product of two and a power of ten fits 128 bits as a rule.
    public static let mostDigits = 18
    public static let mostPlaces = 18

    public init(units: Int128, places: Int) {
        self.units = units
        self.places = places
    }

    /// Reads `-12.50`, `1e-5` and the like: JSON's numbers, and also those with a `+` or an empty integer part.
    ///
    /// - Returns: nil if the text is not such a number, or needs more than ``mostDigits`` digits.
    public init?(_ text: some StringProtocol) {
        var units: Int128 = 0
        var places = 0
        var digits = 0
        var isNegative = false
        var isFraction = false
        var exponent: Int?
        let bytes = Array(text.utf8)
        var position = 0
        if let sign = bytes.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            isNegative = sign == UInt8(ascii: "-")
            position = 1
        }
        scan: while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                units = units * 10 + Int128(byte - UInt8(ascii: "0"))
                if isFraction { places += 1 }
                digits += 1
                guard units < Self.tens[Self.mostDigits], digits <= 40 else { return nil }
            case UInt8(ascii: ".") where !isFraction: isFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                exponent = Int(String(decoding: bytes[(position + 1)...], as: UTF8.self))
                guard exponent != nil else { return nil }
                break scan
            default: return nil
            }
            position += 1
        }
        guard digits > 0, let exponent = Optional(exponent ?? 0), exponent.magnitude <= Self.mostPlaces else {
            return nil
        }
        places -= exponent
        // Trailing zeros behind the point say nothing, and cost room.
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
        self.init(units: isNegative ? -units : units, places: places)
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
}

extension ExactDecimal {
    /// `self` × `factor` / `divisor`, rounded once, at the end, half away from zero as invoices are.
    ///
    /// - Returns: nil if the result or a number on the way does not fit 128 bits, or if `divisor` is zero.
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
