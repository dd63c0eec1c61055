// SPDX-License-Identifier: Apache-2.0

/// A currency's three-letter code in ISO 4217, such as `AUD`.
public struct CurrencyCode: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The code in capital letters.
    public let description: String

    public static let australianDollar = CurrencyCode(unchecked: "AUD")
    public static let euro = CurrencyCode(unchecked: "EUR")

    /// - Parameter text: three ASCII letters in upper or lower case. White space around them is ignored.
    /// - Returns: the code; nil for any other text.
    public init?(_ text: some StringProtocol) {
        let letters = String(text.filter { $0 != " " && $0 != "\t" })
        guard letters.utf8.count == 3, letters.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
        self.init(unchecked: letters.uppercased())
    }

    private init(unchecked description: String) { self.description = description }

    public static func < (one: Self, other: Self) -> Bool { one.description < other.description }

    /// The number of decimals in amounts of this currency, that is, the minor unit in ISO 4217's list one.
    public var digits: Int { Self.unusual.first { $0.value.contains(description) }?.key ?? 2 }

    /// The currencies of ISO 4217 whose minor unit is not a hundredth (list one, amendment 176), by their decimals.
    private static let unusual: [Int: Set<String>] = [
        0: [
            "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF",
            "XOF", "XPF",
        ],
        3: ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"],
        4: ["CLF", "UYW"],
    ]
}
