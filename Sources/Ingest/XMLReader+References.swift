// SPDX-License-Identifier: Apache-2.0

extension XMLReader {
    private static let entities: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
    ]

    /// Replaces references such as `&amp;`, `&#233;` and `&#xe9;`. The result is never longer than `text`.
    mutating func unescaped(_ text: ArraySlice<UInt8>) throws(SourceFormatError) -> String {
        guard text.contains(UInt8(ascii: "&")) else { return String(decoding: text, as: UTF8.self) }
        var plain: [UInt8] = []
        var rest = text
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            plain += rest[..<start]
            let name = rest[(start + 1)...].prefix(10).prefix { $0 != UInt8(ascii: ";") }
            guard name.endIndex < rest.endIndex, rest[name.endIndex] == UInt8(ascii: ";"),
                let scalar = Self.scalar(String(decoding: name, as: UTF8.self))
            else { throw broken("an & begins no reference that XML knows") }
            plain += String(scalar).utf8
            rest = rest[(name.endIndex + 1)...]
        }
        return String(decoding: plain + rest, as: UTF8.self)
    }

    private static func scalar(_ name: String) -> Unicode.Scalar? {
        guard name.hasPrefix("#") else { return entities[name] }
        let digits = name.dropFirst()
        let value = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return value.flatMap(Unicode.Scalar.init)
    }
}
