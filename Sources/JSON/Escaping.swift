// SPDX-License-Identifier: Apache-2.0

/// Makes text from other people harmless to a terminal.
package enum Escaping {
    /// Returns the text with characters that a terminal acts on, or that change the reading order, escaped as `\u{1b}`.
    package static func visible(_ text: String) -> String { visible(text, keeping: nil) }

    /// Returns the text escaped as by ``visible(_:)``, except that line ends are kept.
    package static func visibleLines(_ text: String) -> String { visible(text, keeping: "\n") }

    private static func visible(_ text: String, keeping kept: Unicode.Scalar?) -> String {
        guard text.unicodeScalars.contains(where: { isDangerous($0) && $0 != kept }) else { return text }
        return text.unicodeScalars.map { scalar in
            isDangerous(scalar) && scalar != kept ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }.joined()
    }

    /// Returns whether a character is a C0 or C1 control, DEL, a line or paragraph separator, or one that overrides or
    /// isolates the direction of text.
    package static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1f, 0x7f...0x9f, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
        }
    }
}
