// SPDX-License-Identifier: Apache-2.0

/// A key as WebDriver names it.
public enum Key: String, Sendable {
    case tab = "\u{e004}"
    case enter = "\u{e007}"
    case shift = "\u{e008}"
    case control = "\u{e009}"
    case escape = "\u{e00c}"
    case space = " "
    case left = "\u{e012}"
    case up = "\u{e013}"
    case right = "\u{e014}"
    case down = "\u{e015}"
    case delete = "\u{e017}"
    case home = "\u{e011}"
    /// The plus of the number pad.
    case plus = "\u{e025}"
}
