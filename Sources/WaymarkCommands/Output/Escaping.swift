// SPDX-License-Identifier: Apache-2.0

/// Makes text that came from others harmless to a terminal.
enum Escaping {
    /// `text` with every character that a terminal would act on, or that would turn the reading order, as `\u{1b}`.
    static func visible(_ text: String) -> String { visible(text, keeping: nil) }

    /// As ``visible(_:)``, but lines stay lines.
    static func visibleLines(_ text: String) -> String { visible(text, keeping: "\n") }

    private static func visible(_ text: String, keeping kept: Unicode.Scalar?) -> String {
        guard text.unicodeScalars.contains(where: { isDangerous($0) && $0 != kept }) else { return text }
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isDangerous(scalar), scalar != kept {
                escaped.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            } else {
                escaped.append(scalar)
            }
        }
        return String(escaped)
    }

    /// C0 and C1 controls, DEL, the separators of lines and paragraphs, and what overrides or isolates a direction.
    static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1f, 0x7f...0x9f, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
        }
    }
}
