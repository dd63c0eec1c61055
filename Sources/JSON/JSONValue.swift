// SPDX-License-Identifier: Apache-2.0

/// A JSON value exactly as in the text: nothing is rounded, sorted or merged.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number, whose digits are kept as text, so that an id of 20 digits stays exact and coordinates are rounded only
    /// once.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])

    /// Returns the value of the member with this name, or of the last one if the name repeats; nil if there is none.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }

    package var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    package var isNull: Bool { self == .null }

    /// The text of a string that is not blank, the digits of a number, or the first of these in a list; otherwise nil.
    package var text: String? {
        switch self {
        case .string(let text): text.allSatisfy(\.isWhitespace) ? nil : text
        case .number(let digits): digits
        case .array(let elements): elements.lazy.compactMap(\.scalarText).first
        case .null, .bool, .object: nil
        }
    }

    private var scalarText: String? {
        if case .array = self { nil } else { text }
    }
}

/// A member of an object: a name and its value.
package struct JSONMember: Hashable, Sendable {
    package var name: String
    package var value: JSONValue

    package init(name: String, value: JSONValue) { (self.name, self.value) = (name, value) }
}

/// Writes values as they were read.
extension JSONWriter {
    package mutating func value(_ json: JSONValue) {
        switch json {
        case .null: null()
        case .bool(let flag): value(flag)
        case .number(let digits): raw(digits)
        case .string(let text): value(text)
        case .array(let elements): array(elements) { $0.value($1) }
        case .object(let members): object { $0.fields(members) }
        }
    }

    package mutating func fields(_ members: [JSONMember]) {
        for member in members {
            key(member.name)
            value(member.value)
        }
    }
}
