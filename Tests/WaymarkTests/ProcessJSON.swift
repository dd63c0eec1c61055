// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcess

/// One line of `-o json`, with its keys in their order in the line.
struct ProcessJSON {
    let line: String
    private let members: [String: Any]

    init(_ line: String) throws {
        self.line = line
        guard let members = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
            throw Overdue(description: "This is no object: \(line)")
        }
        self.members = members
    }

    private init(_ members: [String: Any]) {
        (line, self.members) = ("", members)
    }

    /// A text; nil for any other type.
    subscript(key: String) -> String? { members[key] as? String }

    func number(_ key: String) -> Double? { (members[key] as? NSNumber)?.doubleValue }
    func truth(_ key: String) -> Bool? { members[key] as? Bool }
    func isNull(_ key: String) -> Bool { members[key] is NSNull }
    func object(_ key: String) -> ProcessJSON? { (members[key] as? [String: Any]).map(ProcessJSON.init) }
    func list(_ key: String) -> [ProcessJSON]? { (members[key] as? [[String: Any]])?.map(ProcessJSON.init) }

    /// The keys of the outermost object, in their order in the line.
    var keys: [String] {
        var keys: [String] = []
        var depth = 0
        var text: [UInt8]?
        var isEscaped = false
        var last: [UInt8] = []
        for byte in line.utf8 {
            if text != nil {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    (last, text) = (text ?? [], nil)
                    continue
                }
                text?.append(byte)
            } else {
                switch byte {
                case UInt8(ascii: "\""): text = []
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                case UInt8(ascii: ":") where depth == 1: keys.append(String(decoding: last, as: UTF8.self))
                default: break
                }
            }
        }
        return keys
    }
}
