// SPDX-License-Identifier: Apache-2.0

/// The reason why a row was rejected, or a notice about an accepted row.
public struct RowReason: Error, Hashable, Sendable {
    /// One sentence about the row: `It has no name.`
    public var sentence: String
    /// The words that similar rows share, which are printed after the number of rows: `have no name`. Empty if rows
    /// with this reason are not grouped.
    public var common: String

    static let noCoordinates = RowReason("The row has no coordinates.", of: "have no coordinates")

    init(_ sentence: String, of common: String = "") {
        (self.sentence, self.common) = (sentence, common)
    }
}
