// SPDX-License-Identifier: Apache-2.0

/// Reads decimal numbers. Swift's `Double` also reads hexadecimal digits, `nan` and `infinity`, which nobody means as a
/// position or a rating.
public enum DecimalText {
    /// Reads a number; white space at the ends is allowed. Nil if the text is not a decimal number or has more than 64
    /// bytes. `1e999` is read as infinity.
    @inlinable
    public static func number(_ text: some StringProtocol) -> Double? { number(text: String(text)) }

    @usableFromInline
    static func number(text: String) -> Double? {
        guard text.utf8.count <= 64 else { return nil }
        // Nearly all numbers have only these characters. Comparing bytes is quicker than breaking characters.
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2d || $0 == 0x2e }) { return Double(text) }
        let trimmed = text.drop(while: \.isWhitespace)
        let digits = trimmed.prefix { $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }
        guard trimmed[digits.endIndex...].allSatisfy(\.isWhitespace) else { return nil }
        return Double(digits)
    }
}
