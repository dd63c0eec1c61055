// SPDX-License-Identifier: Apache-2.0

/// Reads decimal numbers. Swift's `Double` also reads hexadecimal digits, `nan` and `infinity`, which nobody means as a
/// position or a rating.
public enum DecimalText {
    /// Reads a number; white space at the ends is allowed. Nil if the text is not a decimal number or has more than 64
    /// bytes. `1e999` is read as infinity.
    public static func number(_ text: some StringProtocol) -> Double? {
        guard text.utf8.count <= 64 else { return nil }
        let trimmed = text.drop(while: \.isWhitespace)
        let digits = trimmed.prefix { $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }
        guard trimmed[digits.endIndex...].allSatisfy(\.isWhitespace) else { return nil }
        return Double(digits)
    }
}
