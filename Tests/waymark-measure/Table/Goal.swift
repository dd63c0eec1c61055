// SPDX-License-Identifier: Apache-2.0

/// The limit that a figure must reach.
struct Goal: Codable, Hashable {
    enum Side: String, Codable {
        case atLeast = "at_least"
        case atMost = "at_most"
    }

    /// Which figure of the line the goal applies to.
    enum Figure: String, Codable {
        case measured, ratio
    }

    var side: Side
    var bound: Double
    var figure: Figure

    static func ratio(_ side: Side, _ bound: Double) -> Goal { Goal(side: side, bound: bound, figure: .ratio) }
    static func measured(_ side: Side, _ bound: Double) -> Goal { Goal(side: side, bound: bound, figure: .measured) }

    /// Judged by the median.
    func isReached(by spread: Spread) -> Bool {
        switch side {
        case .atLeast: spread.median >= bound
        case .atMost: spread.median <= bound
        }
    }
}
