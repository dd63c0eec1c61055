// SPDX-License-Identifier: Apache-2.0

/// Where a value stands in JSON: member names and places in lists, joined by dots: `data.items`, `types.0`.
public struct FieldPath: Hashable, Sendable {
    /// As it was written; empty for the value itself.
    public let text: String

    public init(_ text: String) {
        self.text = text
    }

    /// The value there; nil when there is none, or null.
    func value(in root: JSONValue) -> JSONValue? {
        if text.isEmpty { return root }
        // A name may hold dots itself, so the whole path is tried as one first.
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
