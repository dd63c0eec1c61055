// SPDX-License-Identifier: Apache-2.0

/// The first digits of an identifier, as people shorten one: `01933c6e-7f3a-7c21`.
///
/// An identifier begins with its time, so that few digits name many. The first sixteen are the time and the counter of
/// ``UUIDv7Generator``, which gives no two that are the same there.
public struct UUIDv7Beginning: Hashable, Sendable {
    /// Fewer are more often a slip than an identifier.
    public static let fewestDigits = 8
    /// Characters that name one identifier of a generator.
    public static let uniqueCharacters = 18

    /// The least identifier that begins so.
    public let least: UUIDv7
    /// The greatest one.
    public let greatest: UUIDv7

    /// Reads 8 to 31 hexadecimal digits in either case, with the hyphens of the canonical form or with none.
    public init?(_ text: String) {
        guard text.utf8.count < 36, text.utf8.allSatisfy({ $0 == 45 || UInt8($0).isHexDigit }) else { return nil }
        let digits = text.lowercased().filter { $0 != "-" }
        guard (Self.fewestDigits...31).contains(digits.count) else { return nil }
        func filled(_ digit: Character) -> UUIDv7? {
            UUIDv7(digits + String(repeating: digit, count: 32 - digits.count))
        }
        guard let least = filled("0"), let greatest = filled("f") else { return nil }
        guard digits.count == text.count || least.description.hasPrefix(text.lowercased()) else { return nil }
        (self.least, self.greatest) = (least, greatest)
    }

    public func contains(_ id: UUIDv7) -> Bool { (least...greatest).contains(id) }
}

extension UUIDv7 {
    /// As people are shown it: enough of its beginning to name it.
    public var short: String { String(description.prefix(UUIDv7Beginning.uniqueCharacters)) }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool { (48...57).contains(self) || (97...102).contains(self | 0x20) }
}
