// SPDX-License-Identifier: Apache-2.0

/// Makes text from other people harmless to a terminal.
package enum Escaping {
    /// The text with every character that a terminal acts on, or that changes the reading order, escaped as `\u{1b}`.
    package static func visible(_ text: String) -> String { visible(text, keeping: nil) }

    /// Like ``visible(_:)``, but line ends are kept.
    package static func visibleLines(_ text: String) -> String { visible(text, keeping: "\n") }

    private static func visible(_ text: String, keeping kept: Unicode.Scalar?) -> String {
        guard text.unicodeScalars.contains(where: { isDangerous($0) && $0 != kept }) else { return text }
        return text.unicodeScalars.map { scalar in
            isDangerous(scalar) && scalar != kept ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }.joined()
    }

    /// C0 and C1 controls, DEL, line and paragraph separators, and characters that override or isolate the text
    /// direction.
    package static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1f, 0x7f...0x9f, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
        }
    }
}
