// SPDX-License-Identifier: Apache-2.0

/// The reason why a row was rejected, or a notice about a row.
public struct RowReason: Error, Hashable, Sendable {
    /// One sentence about the row: `It has no name.`
    public var sentence: String
    /// The part that similar rows share, written to follow their count: `have no name`. Empty if rows are not grouped
    /// by it.
    public var common: String

    static let noCoordinates = RowReason("The row has no coordinates.", of: "have no coordinates")

    init(_ sentence: String, of common: String = "") {
        self.sentence = sentence
        self.common = common
    }
}
