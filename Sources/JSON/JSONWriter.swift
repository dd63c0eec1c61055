// SPDX-License-Identifier: Apache-2.0

package import Landmarks

/// Writes JSON, with the keys in the order of the calls.
///
/// Also escapes characters that a terminal acts on. Programs read the same text, and people's terminals are safe.
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init() {}

    /// Returns an object as one line, including the newline.
    ///
    /// - Parameter room: the approximate size of the line in bytes.
    package static func line(room: Int = 0, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.bytes.reserveCapacity(room)
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

    /// Writes a text that is given as UTF-8.
    package mutating func value(utf8 text: UnsafeRawBufferPointer) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        JSONText.append(utf8: text, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func value(_ number: UInt64) {
        separate()
        Digits.append(number, to: &bytes)
    }

    package mutating func value(_ id: UUIDv7) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        id.append(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a time in the format of RFC 3339.
    ///
    /// - Parameter milliseconds: Unix milliseconds.
    package mutating func value(time milliseconds: UInt64) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        Timestamp.append(milliseconds, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func value(_ flag: Bool) { raw(flag ? "true" : "false") }

    /// Writes the shortest digits from which the same number can be read; null for infinity and NaN, which JSON does
    /// not have.
    package mutating func value(_ number: Double) { raw(number.isFinite ? number.description : "null") }

    package mutating func null() { raw("null") }

    /// Writes a value that is given as JSON.
    package mutating func raw(_ json: String) {
        separate()
        bytes.append(contentsOf: json.utf8)
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
        JSONText.append(text, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }
}

/// A value that is written as an object.
package protocol JSONObject {
    /// Writes the fields. Programs rely on their keys and on the order.
    func fields(to writer: inout JSONWriter)
}

/// Writes fields, each with a name and a value, or with null if there is no value.
extension JSONWriter {
    private mutating func field<Value>(_ name: String, _ value: Value?, _ write: (inout JSONWriter, Value) -> Void) {
        key(name)
        if let value { write(&self, value) } else { null() }
    }

    package mutating func field(_ name: String, _ text: String?) { field(name, text) { $0.value($1) } }

    package mutating func field(_ name: String, utf8: UnsafeRawBufferPointer?) {
        field(name, utf8) { $0.value(utf8: $1) }
    }

    package mutating func field(_ name: String, _ number: UInt64?) { field(name, number) { $0.value($1) } }

    package mutating func field(_ name: String, _ number: Double?) { field(name, number) { $0.value($1) } }

    package mutating func field(_ name: String, _ id: UUIDv7) { field(name, id) { $0.value($1) } }

    package mutating func field(_ name: String, _ flag: Bool) { field(name, flag) { $0.value($1) } }

    package mutating func field(_ name: String, time: UInt64) { field(name, time) { $0.value(time: $1) } }

    package mutating func field(_ name: String, raw json: String?) { field(name, json) { $0.raw($1) } }

    package mutating func object(_ name: String, _ body: (inout JSONWriter) -> Void) {
        key(name)
        object(body)
    }

    package mutating func object(_ name: String, _ object: (some JSONObject)?) {
        field(name, object) { writer, object in writer.object { object.fields(to: &$0) } }
    }

    package mutating func array<Element>(
        _ name: String, _ elements: (some Sequence<Element>)?, _ body: (inout JSONWriter, Element) -> Void
    ) {
        field(name, elements) { $0.array($1, body) }
    }

    package mutating func array(_ name: String, _ texts: [String]?) { array(name, texts) { $0.value($1) } }

    package mutating func array(_ name: String, _ objects: [some JSONObject]) {
        array(name, objects) { writer, object in writer.object { object.fields(to: &$0) } }
    }

    /// Writes the fields of another object into the present object.
    package mutating func fields(_ object: some JSONObject) { object.fields(to: &self) }
}
