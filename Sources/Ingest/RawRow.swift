// SPDX-License-Identifier: Apache-2.0

import JSON
import Landmarks

/// The values of a row as the format found them, before any rule is applied to them.
struct RawRow {
    /// The row's own id, which is unique in its source.
    var id: String?
    var name: String?
    var latitude: JSONValue?
    var longitude: JSONValue?
    /// The attributes, each at most once. A value of nil or null means that the attribute is absent.
    var attributes: [(Attribute, JSONValue?)] = []
    /// The reason why the row is rejected whatever else it contains; nil if there is none.
    var fault: RowReason?
}

/// Reads a number that a source wrote as a number or as a string.
enum Decimal {
    /// Returns the number; nil if the value is no decimal number. "1e999" is a decimal number, but gives infinity.
    static func read(_ value: JSONValue) -> Double? {
        switch value {
        case .number(let digits): Double(digits)
        case .string(let text): DecimalText.number(text)
        case .null, .bool, .array, .object: nil
        }
    }
}
