// SPDX-License-Identifier: Apache-2.0

/// Writes JSON with the keys in the order of the calls.
///
/// Characters that a terminal acts on are escaped too. To a program that is the same text; to a person who looks at
/// it, it is harmless.
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// One object as one line, including the newline.
    package static func line(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object(body)
        writer.bytes.append(UInt8(ascii: "\n"))
        return writer.bytes
    }

    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        nest("{", "}", body)
    }

    package mutating func array<Element>(
        _ elements: some Sequence<Element>, _ body: (inout JSONWriter, Element) -> Void
    ) {
        nest("[", "]") { writer in
            for element in elements { body(&writer, element) }
        }
    }

    package mutating func key(_ name: String) {
        separate()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func value(_ text: String) {
        separate()
        quote(text)
    }

    package mutating func value(_ number: UInt64) { literal(String(number)) }

    package mutating func value(_ flag: Bool) { literal(flag ? "true" : "false") }

    /// The shortest digits that parse to the same number; null for infinity and NaN, which JSON cannot express.
    package mutating func value(_ number: Double) { literal(number.isFinite ? number.description : "null") }

    package mutating func null() { literal("null") }

    /// A value that is JSON already.
    package mutating func raw(_ json: String) { literal(json) }

    private mutating func literal(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func nest(_ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: open))
        needsComma = false
        body(&self)
        bytes.append(UInt8(ascii: close))
        needsComma = true
    }

    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x5c }) {
            bytes.append(contentsOf: text.utf8)
        } else {
            for scalar in text.unicodeScalars { append(scalar) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": bytes.append(contentsOf: "\\\"".utf8)
        case "\\": bytes.append(contentsOf: "\\\\".utf8)
        case "\n": bytes.append(contentsOf: "\\n".utf8)
        case "\r": bytes.append(contentsOf: "\\r".utf8)
        case "\t": bytes.append(contentsOf: "\\t".utf8)
        case _ where Escaping.isDangerous(scalar):
            let digits = String(scalar.value, radix: 16)
            bytes.append(contentsOf: "\\u".utf8)
            bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count))
            bytes.append(contentsOf: digits.utf8)
        default: bytes.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
        }
    }
}

extension JSONWriter {
    package mutating func field(_ name: String, _ text: String?) {
        key(name)
        if let text { value(text) } else { null() }
    }

    package mutating func field(_ name: String, _ number: UInt64?) {
        key(name)
        if let number { value(number) } else { null() }
    }

    package mutating func field(_ name: String, _ number: Double?) {
        key(name)
        if let number { value(number) } else { null() }
    }

    package mutating func field(_ name: String, _ flag: Bool) {
        key(name)
        value(flag)
    }
}
