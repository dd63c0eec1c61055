// SPDX-License-Identifier: Apache-2.0

/// How a piece of text is set off on a terminal that shows colour.
enum Style: String {
    case plain = ""
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
}

/// Puts colour around text, or leaves it as it is.
struct Painter: Sendable {
    let isColoured: Bool

    /// - Parameter text: escaped already.
    func paint(_ text: String, _ style: Style) -> String {
        guard isColoured, style != .plain, !text.isEmpty else { return text }
        return "\u{1b}[\(style.rawValue)m\(text)\u{1b}[0m"
    }
}
