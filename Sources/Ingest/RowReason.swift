// SPDX-License-Identifier: Apache-2.0

/// Why a row was refused, or what is to be told of it.
public struct RowReason: Error, Hashable, Sendable {
    /// One sentence about the row: `It has no name.`
    public var sentence: String
    /// What it shares with other rows, after their count: `have no name`. Empty where the sentence is all there is.
    public var common: String

    public init(_ sentence: String, of common: String = "") {
        self.sentence = sentence
        self.common = common
    }
}
