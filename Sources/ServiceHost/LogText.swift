// SPDX-License-Identifier: Apache-2.0

internal import JSON
import Logging

/// Makes text from any origin safe for one line of a log: of limited length, and without characters that a terminal or
/// a parser acts on.
enum LogText {
    /// The maximum length of a message or value, in Unicode scalars.
    static let limit = 1_024

    /// Returns the text for a line that people read, with control characters escaped as `\n`, `\t` or `\u{1b}`.
    static func visible(_ text: String) -> String {
        let scalars = bounded(text).unicodeScalars
        guard scalars.contains(where: Escaping.isDangerous) else { return String(scalars) }
        return scalars.map { scalar in
            switch scalar {
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            case _ where Escaping.isDangerous(scalar): "\\u{\(String(scalar.value, radix: 16))}"
            default: String(scalar)
            }
        }.joined()
    }

    static func bounded(_ text: String) -> String {
        let scalars = text.unicodeScalars
        return scalars.prefix(limit + 1).count <= limit ? text : String(scalars.prefix(limit)) + "…"
    }
}

extension JSONWriter {
    /// Writes a number or truth value unquoted if it was given with `.stringConvertible`, any other value as a string.
    mutating func value(_ given: Logger.MetadataValue) {
        guard case .stringConvertible(let number) = given else { return value(LogText.bounded("\(given)")) }
        switch number {
        case let number as Bool: value(number)
        case let number as any BinaryInteger: raw("\(number)")
        // JSON cannot express infinity or NaN.
        case let number as Double where number.isFinite: value(number)
        default: value(LogText.bounded("\(number)"))
        }
    }
}
