// SPDX-License-Identifier: Apache-2.0

import JSON

/// The path of a value in JSON: names of members and indexes of list elements, joined by dots: `data.items`, `types.0`.
public struct FieldPath: Hashable, Sendable {
    /// The path as text; empty for the whole document.
    public let text: String

    public init(_ text: String) {
        self.text = text
    }

    /// Returns the value at this path; nil if there is no value or it is null.
    func value(in root: JSONValue) -> JSONValue? {
        if text.isEmpty { return root }
        // The name of a member may contain dots, so first try the whole path as a name.
        if let value = root[text] { return value.isNull ? nil : value }
        var value = root
        for step in text.split(separator: ".") {
            if let member = value[String(step)] {
                value = member
            } else if let index = Int(step), let elements = value.elements, elements.indices.contains(index) {
                value = elements[index]
            } else {
                return nil
            }
        }
        return value.isNull ? nil : value
    }
}
