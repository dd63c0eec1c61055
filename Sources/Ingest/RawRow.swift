// SPDX-License-Identifier: Apache-2.0

import JSON
import Landmarks

/// A row's values as its format found them, before any rule is applied.
struct RawRow {
    /// The row's own id, unique in its source.
    var id: String?
    var name: String?
    var latitude: JSONValue?
    var longitude: JSONValue?
    /// The attributes, each at most once. A value that is nil or null is absent.
    var attributes: [(Attribute, JSONValue?)] = []
    /// The reason to reject the row, whatever else is in it.
    var fault: RowReason?
}

/// A number that a source wrote as a number or as a string.
enum Decimal {
    /// The number; nil if the value is no decimal number. "1e999" is one, and infinite.
    static func read(_ value: JSONValue) -> Double? {
        switch value {
        case .number(let digits): Double(digits)
        case .string(let text): DecimalText.number(text)
        case .null, .bool, .array, .object: nil
        }
    }
}
