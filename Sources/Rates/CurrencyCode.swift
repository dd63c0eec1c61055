// SPDX-License-Identifier: Apache-2.0

/// A currency's code of ISO 4217: three letters, `AUD`.
public struct CurrencyCode: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// In capitals.
    public let description: String

    public static let australianDollar = CurrencyCode(unchecked: "AUD")
    public static let euro = CurrencyCode(unchecked: "EUR")

    /// - Parameter text: three ASCII letters in any case. White space around them is ignored.
    /// - Returns: nil for any other text.
    public init?(_ text: some StringProtocol) {
        var letters: [UInt8] = []
        for byte in text.utf8 where byte != 0x20 && byte != 0x09 {
            guard (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20), letters.count < 3 else { return nil }
            letters.append(byte & ~0x20)
        }
        guard letters.count == 3 else { return nil }
        self.init(unchecked: String(decoding: letters, as: UTF8.self))
    }

    private init(unchecked description: String) { self.description = description }

    public static func < (one: Self, other: Self) -> Bool { one.description < other.description }

    /// Digits behind the point in which sums of this currency are given: the minor unit in ISO 4217's list one.
    public var digits: Int { Self.unusualDigits[description] ?? 2 }

    /// The currencies of ISO 4217 whose minor unit is not a hundredth (list one, amendment 176).
    private static let unusualDigits: [String: Int] = {
        var digits: [String: Int] = [:]
        for code in [
            "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF",
            "XOF", "XPF",
        ] { digits[code] = 0 }
        for code in ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"] { digits[code] = 3 }
        for code in ["CLF", "UYW"] { digits[code] = 4 }
        return digits
    }()
}
