// SPDX-License-Identifier: Apache-2.0

/// Whether bytes are a `Landmark` as this release encodes one: then they can be kept and passed on as they are.
///
/// Every field known and of its type, in the order of the numbers, each once but for the notes, ids of 16 bytes, texts in
/// UTF-8. Any reader understands such bytes alike. What is other is left to the generated code.
enum PlainLandmark {
    static func isOne(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var last: UInt64 = 0
        var fields = WireFields(bytes)
        while let (field, value) = fields.next() {
            guard field > last || field == 10 && last == 10 else { return false }
            last = field
            switch (field, value) {
            case (1, .bytes(let id)) where id.count == 16: break
            case (2, .bytes(let text)), (5, .bytes(let text)), (6, .bytes(let text)), (7, .bytes(let text)):
                guard WireText.isText(text) else { return false }
            case (3, .fixed64), (4, .fixed64), (9, .fixed64): break
            case (8, .bytes(let source)): guard isSource(source) else { return false }
            case (10, .bytes(let note)): guard isNote(note) else { return false }
            case (11, .number), (12, .number), (13, .number), (14, .number): break
            default: return false
            }
        }
        return fields.isWhole
    }

    private static func isSource(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var last: UInt64 = 0
        var fields = WireFields(bytes)
        while let (field, value) = fields.next() {
            guard field > last, field <= 2, case .bytes(let text) = value, WireText.isText(text) else { return false }
            last = field
        }
        return fields.isWhole
    }

    private static func isNote(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var last: UInt64 = 0
        var fields = WireFields(bytes)
        while let (field, value) = fields.next() {
            guard field > last else { return false }
            last = field
            switch (field, value) {
            case (1, .bytes(let id)) where id.count == 16: break
            case (2, .bytes(let text)), (3, .bytes(let text)): guard WireText.isText(text) else { return false }
            case (4, .number): break
            default: return false
            }
        }
        return fields.isWhole
    }
}
