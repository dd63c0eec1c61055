// SPDX-License-Identifier: Apache-2.0

package import Landmarks

/// Writes JSON, with the keys in the order of the calls.
///
/// Also escapes characters that a terminal acts on. Programs read the same text, and people's terminals are safe.
package struct JSONWriter: ~Copyable {
    // An array would check before each byte that it is not shared. Nothing shares this memory: the value cannot be
    // copied, the pointer stays inside, and only `deinit` and `move` free it.
    private var start: UnsafeMutablePointer<UInt8>
    private var room: Int
    /// The number of bytes that are written, never more than `room`.
    package private(set) var count = 0
    private var needsComma = false
    /// The last time that was written, and its offset, because a landmark's two times are often the same.
    private var time: (milliseconds: UInt64, place: Int, size: Int)?

    /// - Parameter room: the approximate size of the text in bytes.
    package init(room: Int = 0) {
        self.room = max(room, 256)
        start = .allocate(capacity: self.room)
    }

    deinit { start.deallocate() }

    /// A copy of the written bytes.
    package var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }

    /// Returns an object as one line, including the newline.
    ///
    /// - Parameter room: the approximate size of the line in bytes.
    package static func line(room: Int = 0, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(room: room)
        writer.object(body)
        writer.append("\n")
        return writer.bytes
    }

    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        open("{")
        body(&self)
        close("}")
    }

    /// Writes an array. Rows of pages are written with this function, because a generic one of another module looks up
    /// its types for each row.
    package mutating func list(_ body: (inout JSONWriter) -> Void) {
        open("[")
        body(&self)
        close("]")
    }

    package mutating func array<Element>(
        _ elements: some Sequence<Element>, _ body: (inout JSONWriter, Element) -> Void
    ) {
        list { writer in
            for element in elements { body(&writer, element) }
        }
    }

    package mutating func key(_ name: String) {
        value(name)
        append(":")
        needsComma = false
    }

    package mutating func value(_ text: String) {
        var text = text
        text.withUTF8 { value(utf8: UnsafeRawBufferPointer($0)) }
    }

    /// Writes a text that is given as UTF-8.
    package mutating func value(utf8 text: UnsafeRawBufferPointer) {
        let plain = JSONText.plain(text)
        // Room for both quotes, and for the colon of a key.
        let place = begin(plain + 3)
        place[0] = UInt8(ascii: "\"")
        JSONText.copy(text, plain, to: UnsafeMutableRawPointer(place + 1))
        count += plain + 1
        if plain < text.count { JSONText.write(utf8: UnsafeRawBufferPointer(rebasing: text[plain...]), to: &self) }
        append("\"")
    }

    package mutating func value(_ number: UInt64) { count += Digits.write(number, to: begin(Digits.most)) }

    package mutating func value(_ id: UUIDv7) {
        let place = begin(38)
        count += id.write(to: place + 1) + 2
        (place[0], place[37]) = (UInt8(ascii: "\""), UInt8(ascii: "\""))
    }

    /// Writes a time in the format of RFC 3339.
    ///
    /// - Parameter milliseconds: Unix milliseconds.
    package mutating func value(time milliseconds: UInt64) {
        let place = begin(Timestamp.most)
        if let time, time.milliseconds == milliseconds {
            place.update(from: start + time.place, count: time.size)
            count += time.size
            return
        }
        let size = Timestamp.write(milliseconds, to: place + 1) + 2
        (place[0], place[size - 1]) = (UInt8(ascii: "\""), UInt8(ascii: "\""))
        time = (milliseconds, count, size)
        count += size
    }

    package mutating func value(_ flag: Bool) { raw(flag ? "true" : "false") }

    /// Writes the shortest digits from which the same number can be read; null for infinity and NaN, which JSON does
    /// not have.
    package mutating func value(_ number: Double) {
        guard let size = Digits.write(decimal: number, to: begin(Digits.most)) else {
            return put(number.isFinite ? number.description : "null")
        }
        count += size
    }

    package mutating func null() {
        UnsafeMutableRawPointer(begin(4)).storeBytes(of: UInt32(littleEndian: 0x6c6c_756e), as: UInt32.self)
        count += 4
    }

    /// Writes a value that is given as JSON.
    package mutating func raw(_ json: String) {
        _ = begin(0)
        put(json)
    }

    private mutating func open(_ bracket: Unicode.Scalar) {
        _ = begin(0)
        append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: Unicode.Scalar) {
        append(bracket)
        needsComma = true
    }
}

/// The memory.
extension JSONWriter {
    /// Writes a comma if one is due, and returns the place of the value, which has room for this many bytes.
    private mutating func begin(_ size: Int) -> UnsafeMutablePointer<UInt8> {
        if needsComma { append(",") }
        needsComma = true
        grow(size)
        return start + count
    }

    @inline(__always)
    private mutating func append(_ character: Unicode.Scalar) {
        grow(1)
        start[count] = UInt8(ascii: character)
        count += 1
    }

    mutating func put(_ text: String) {
        var text = text
        text.withUTF8 { put(UnsafeRawBufferPointer($0)) }
    }

    mutating func put(_ bytes: UnsafeRawBufferPointer) {
        guard let first = bytes.baseAddress else { return }
        grow(bytes.count)
        UnsafeMutableRawPointer(start + count).copyMemory(from: first, byteCount: bytes.count)
        count += bytes.count
    }

    /// Makes sure that there is room for this many more bytes.
    @inline(__always)
    private mutating func grow(_ size: Int) {
        if room - count < size { move(size) }
    }

    private mutating func move(_ size: Int) {
        room = 2 * max(room, size)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: room)
        larger.update(from: start, count: count)
        start.deallocate()
        start = larger
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

    package mutating func array(_ name: String, _ objects: [some JSONObject]?) {
        self.objects(name, objects) { $1.fields(to: &$0) }
    }

    /// Writes an array with an object for each element.
    package mutating func objects<Element>(
        _ name: String, _ elements: (some Sequence<Element>)?, _ fields: (inout JSONWriter, Element) -> Void
    ) {
        array(name, elements) { writer, element in writer.object { fields(&$0, element) } }
    }

    /// Writes the fields of another object into the present object.
    package mutating func fields(_ object: some JSONObject) { object.fields(to: &self) }
}
