// SPDX-License-Identifier: Apache-2.0

/// Writes texts and numbers of XML 1.0.
enum XMLText {
    static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

    /// Returns an element with a text; nothing if the text is empty.
    static func element(_ name: String, _ text: String) -> String {
        text.isEmpty ? "" : "<\(name)>\(escaped(text))</\(name)>"
    }

    /// Returns the text escaped for an element. Characters that XML 1.0 forbids become spaces; others that a terminal
    /// acts on become references to them.
    private static func escaped(_ text: String, inQuotes: Bool = false) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            // `replacing` would not find a quote with a combining character after it.
            case "\"" where inQuotes: "&quot;"
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\t", "\n", "\r": "&#\(scalar.value);"
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: " "
            case _ where Escaping.isDangerous(scalar): "&#\(scalar.value);"
            default: String(scalar)
            }
        }.joined()
    }

    /// Returns the text escaped for the value of an attribute.
    static func attribute(_ text: String) -> String { escaped(text, inQuotes: true) }

    /// Returns a decimal number of XML Schema, which allows no exponent.
    static func degrees(_ value: Double) -> String {
        let shortest = value.description
        guard shortest.utf8.contains(UInt8(ascii: "e")) else { return shortest }
        // Swift writes an exponent for angles below a ten-thousandth of a degree (eleven metres). Nine digits resolve
        // 0.1 mm.
        let digits = String(Int((abs(value) * 1e9).rounded()))
        return (value < 0 ? "-0." : "0.") + String(repeating: "0", count: max(0, 9 - digits.utf8.count)) + digits
    }
}
