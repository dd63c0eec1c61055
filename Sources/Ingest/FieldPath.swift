// SPDX-License-Identifier: Apache-2.0

import JSON

/// The place of a value in JSON: member names and list indices, joined by dots: `data.items`, `types.0`.
public struct FieldPath: Hashable, Sendable {
    /// The path as text; empty for the root.
    public let text: String

    public init(_ text: String) {
        self.text = text
    }

    /// The value at this path; nil if there is none, or if it is null.
    func value(in root: JSONValue) -> JSONValue? {
        if text.isEmpty { return root }
        // A member's name may contain dots, so the whole path is tried as a name first.
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
