// SPDX-License-Identifier: Apache-2.0

/// The highlighting of a text on a terminal with colour.
enum Style: String {
    case plain = ""
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
}

/// Adds colour to text if colour is on.
struct Painter: Sendable {
    let isColoured: Bool

    /// - Parameter text: text that is already escaped.
    func paint(_ text: String, _ style: Style) -> String {
        guard isColoured, style != .plain, !text.isEmpty else { return text }
        return "\u{1b}[\(style.rawValue)m\(text)\u{1b}[0m"
    }
}
