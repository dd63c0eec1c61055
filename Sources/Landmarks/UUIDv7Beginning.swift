// SPDX-License-Identifier: Apache-2.0

/// The first digits of an id, as people type them, such as `01933c6e-7f3a-7c21`.
///
/// Ids begin with their time, so a few digits match many ids. The first sixteen digits hold the time and the counter of
/// ``UUIDv7Generator``. No two ids of one generator share these digits.
public struct UUIDv7Beginning: Hashable, Sendable {
    /// The minimum number of digits. Fewer digits are more likely a typing mistake than the beginning of an id.
    public static let fewestDigits = 8
    /// The number of characters, hyphens included, that distinguish the ids of one generator.
    public static let uniqueCharacters = 18

    /// The lowest id with this beginning.
    public let least: UUIDv7
    /// The highest id with this beginning.
    public let greatest: UUIDv7

    /// Reads 8 to 31 hexadecimal digits in either case, with the hyphens of the canonical form or with none.
    public init?(_ text: String) {
        guard text.utf8.count < 36, text.allSatisfy({ $0 == "-" || $0.isASCII && $0.isHexDigit }) else { return nil }
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
    /// The beginning of the id, for display: the characters that distinguish it from other ids of its generator.
    public var short: String { String(description.prefix(UUIDv7Beginning.uniqueCharacters)) }
}
