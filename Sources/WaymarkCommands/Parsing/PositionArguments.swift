// SPDX-License-Identifier: Apache-2.0

/// Lets a position begin with a minus sign.
///
/// The argument parser takes every argument with a leading dash for an option. A space before it keeps a position from
/// that, and whoever reads the position trims it.
enum PositionArguments {
    /// `arguments` with a space before those that wholly look like a position with a negative latitude,
    /// `-33.8568,151.2153`, or like an area, `-34,151,-33,152`. After `--` nothing is taken for an option, so nothing is changed there.
    static func protected(_ arguments: [String]) -> [String] {
        guard let end = arguments.firstIndex(of: "--") else { return arguments.map(protected) }
        return arguments[..<end].map(protected) + arguments[end...]
    }

    /// `message` without the spaces that ``protected(_:)`` put into what it quotes.
    static func restored(_ message: String) -> String {
        message.replacing("' -", with: "'-")
    }

    private static func protected(_ argument: String) -> String {
        looksLikePosition(argument) ? " " + argument : argument
    }

    private static func looksLikePosition(_ argument: String) -> Bool {
        guard argument.first == "-" else { return false }
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 4 else { return false }
        return parts.allSatisfy { part in
            guard let end = part.lastIndex(where: { $0 != " " }) else { return false }
            return isNumber(part[...end].drop { $0 == " " })
        }
    }

    private static func isNumber(_ text: Substring) -> Bool {
        let digits = text.first == "-" || text.first == "+" ? text.dropFirst() : text
        guard let first = digits.utf8.first, (48...57).contains(first) || first == UInt8(ascii: ".") else {
            return false
        }
        // Hexadecimal digits make a number for Swift, but not for a person who types a position.
        return !digits.utf8.contains { $0 | 0x20 == UInt8(ascii: "x") } && Double(digits) != nil
    }
}
