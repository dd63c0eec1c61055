// SPDX-License-Identifier: Apache-2.0

extension PositionText {
    /// Returns the text in characters that a keyboard has. Programs and web pages write other characters with the same
    /// meaning: full-width digits and signs, digits of other scripts, dashes instead of the minus, and several signs
    /// for degrees, minutes and seconds. Invisible marks, such as those for the writing direction, are removed.
    public static func plain(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let narrow = TextFolding.wide.contains(scalar) ? Unicode.Scalar(scalar.value - 0xfee0) ?? scalar : scalar
            if let sign = signs[narrow] {
                plain.append(sign)
            } else if narrow.properties.numericType == .decimal, let value = narrow.properties.numericValue,
                let digit = Unicode.Scalar(UInt32(0x30 + value))
            {
                plain.append(digit)
            } else if narrow.properties.generalCategory != .format {
                plain.append(narrow)
            }
        }
        return String(plain)
    }

    private static let signs: [Unicode.Scalar: Unicode.Scalar] = [
        // Hyphens, dashes and the minus.
        "\u{2010}": "-", "\u{2011}": "-", "\u{2012}": "-", "\u{2013}": "-", "\u{2014}": "-", "\u{2015}": "-",
        "\u{2212}": "-", "\u{fe58}": "-", "\u{fe63}": "-",
        "º": "°", "˚": "°", "∘": "°", "⁰": "°",
        "′": "'", "’": "'", "‘": "'", "ʹ": "'", "ʼ": "'", "´": "'",
        "″": "\"", "”": "\"", "“": "\"", "ʺ": "\"", "˝": "\"",
        "\u{3001}": ",", "\u{60c}": ",", "\u{61b}": ";", "\u{66b}": ".",
    ]
}
