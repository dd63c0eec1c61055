// SPDX-License-Identifier: Apache-2.0

import JSON

extension JSONValue {
    /// The paths of the lists that are this value or one level below it. The empty path stands for this value.
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

    /// A description of the value as a part of a sentence: `an object with the members a, b and 3 more`.
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
    /// Returns the first `limit` characters, followed by an ellipsis if the text is longer.
    func shortened(to limit: Int) -> String {
        // The text may be as long as the body, so take a prefix, which reads only as much as necessary.
        let head = prefix(limit + 1)
        return head.count <= limit ? self : head.dropLast() + "…"
    }
}
