// SPDX-License-Identifier: Apache-2.0

/// A JSON value as it was written.
enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The digits as they stand: an id of 20 digits stays itself, and a coordinate is rounded once.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])
}

/// One name and value of an object.
struct JSONMember: Hashable, Sendable {
    var name: String
    var value: JSONValue
}

extension JSONValue {
    /// The member of that name in an object: the last one, if it comes twice.
    subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }

    var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// A string with something in it, a number's digits, or the first such element of a list; else nil.
    var text: String? {
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

    /// Where lists are, here or one level below, as paths; the empty path is the value itself.
    var listPlaces: [String] {
        switch self {
        case .array: [""]
        case .object(let members):
            members.flatMap { member -> [String] in
                let name = member.name.shortened(to: 30)
                if member.value.elements != nil { return [name] }
                guard case .object(let inner) = member.value else { return [] }
                return inner.filter { $0.value.elements != nil }.map { "\(name).\($0.name.shortened(to: 30))" }
            }
        case .null, .bool, .number, .string: []
        }
    }

    /// What stands here, for a sentence: `an object with the members a, b and 3 more`.
    var summary: String {
        switch self {
        case .null: return "null"
        case .bool: return "true or false"
        case .number: return "a number"
        case .string: return "a string"
        case .array(let elements): return elements.isEmpty ? "an empty list" : "a list"
        case .object(let members):
            if members.isEmpty { return "an empty object" }
            let names = members.prefix(6).map { $0.name.shortened(to: 30) }.joined(separator: ", ")
            return members.count > 6
                ? "an object with the members \(names) and \(members.count - 6) more"
                : "an object with the members \(names)"
        }
    }
}

extension String {
    /// At most that many characters, with an ellipsis in place of what was left out.
    func shortened(to limit: Int) -> String {
        // Taking a prefix looks at no more than it takes: the text may be as long as the body.
        let head = prefix(limit + 1)
        return head.count <= limit ? self : head.dropLast() + "…"
    }
}
