// SPDX-License-Identifier: Apache-2.0

import Logging

/// Makes text from any origin safe for one line of a log: bounded, and without characters that a terminal or parser
/// acts on.
enum LogText {
    /// The longest message or value, in Unicode scalars.
    static let limit = 1_024

    /// For a line that people read: control characters are escaped as `\n`, `\t` or `\u{1b}`.
    static func visible(_ text: String) -> String {
        bounded(text) { "\\u{\($0)}" }
    }

    /// A JSON string with its quotation marks. RFC 8259: "All Unicode characters may be placed within the quotation
    /// marks, except for the characters that MUST be escaped: quotation mark, reverse solidus, and the control
    /// characters"; what a terminal acts on beyond those is escaped too.
    static func json(_ text: String) -> String {
        // All of these are in the basic plane, so one UTF-16 unit is enough.
        "\"" + bounded(text, escaping: ["\"", "\\"]) { "\\u" + String(repeating: "0", count: 4 - $0.count) + $0 } + "\""
    }

    /// - Parameters:
    ///   - marks: further characters that get a reverse solidus.
    ///   - escape: what stands for a dangerous character, made from the hexadecimal digits of its number.
    private static func bounded(
        _ text: String, escaping marks: [Unicode.Scalar] = [], _ escape: (String) -> String
    ) -> String {
        var line = ""
        for (place, scalar) in text.unicodeScalars.prefix(limit + 1).enumerated() {
            switch scalar {
            case _ where place == limit: line += "…"
            case "\n": line += "\\n"
            case "\r": line += "\\r"
            case "\t": line += "\\t"
            case _ where isDangerous(scalar): line += escape(String(scalar.value, radix: 16))
            case _ where marks.contains(scalar): line += "\\\(scalar)"
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }

    /// A number or a truth value as itself, if it was given as one with `.stringConvertible`; everything else as a string.
    static func jsonValue(_ value: Logger.MetadataValue) -> String {
        guard case .stringConvertible(let number) = value else { return json("\(value)") }
        switch number {
        case let number as Bool: return number ? "true" : "false"
        case let number as any BinaryInteger: return "\(number)"
        // JSON has no infinity.
        case let number as Double where number.isFinite: return "\(number)"
        default: return json("\(number)")
        }
    }

    /// C0 and C1 controls, DEL, line and paragraph separators, and characters that override or isolate the text
    /// direction.
    private static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1f, 0x7f...0x9f, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
        }
    }
}
