// SPDX-License-Identifier: Apache-2.0

/// The text of a statement.
struct SQLText: Hashable {
    /// The effect of a statement on the transaction. Only the first word of the statement is considered.
    enum Effect {
        case begins
        /// Commits, even if the statement does something else too, as PREPARE TRANSACTION does.
        case commits
        case rollsBack
        case shows
        case other
    }

    let text: String

    /// Refuses a NUL character, because C takes it for the end of the text.
    init(_ text: String) throws(PostgreSQLError) {
        guard !text.utf8.contains(0) else { throw .parameter(.nulInText) }
        guard text.utf8.count < BinaryEncoder.largestMessage else { throw .parameter(.tooLarge(text.utf8.count)) }
        self.text = text
    }

    var effect: Effect {
        switch firstWord.uppercased() {
        case "BEGIN", "START": .begins
        case "COMMIT", "END", "PREPARE": .commits
        case "ROLLBACK", "ABORT": .rollsBack
        case "SHOW": .shows
        default: .other
        }
    }

    /// The first word of the statement after spaces, comments and empty statements.
    private var firstWord: String {
        var rest = text.utf8[...]
        while let first = rest.first {
            if first == UInt8(ascii: ";") || first <= UInt8(ascii: " ") {
                rest.removeFirst()
            } else if rest.starts(with: "--".utf8) {
                rest = rest.drop { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            } else if rest.starts(with: "/*".utf8) {
                rest = Self.afterComment(rest)
            } else {
                break
            }
        }
        let isLetter = { (byte: UInt8) in (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z") }
        return String(decoding: rest.prefix(while: isLetter), as: UTF8.self)
    }

    /// Returns the text after a comment. PostgreSQL's comments can be nested.
    private static func afterComment(_ text: Substring.UTF8View) -> Substring.UTF8View {
        var (rest, depth) = (text, 0)
        repeat {
            if rest.starts(with: "/*".utf8) {
                depth += 1
                rest.removeFirst(2)
            } else if rest.starts(with: "*/".utf8) {
                depth -= 1
                rest.removeFirst(2)
            } else {
                rest = rest.dropFirst()
            }
        } while depth > 0 && !rest.isEmpty
        return rest
    }
}
