// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// An encoded `Note`, looked at where it lies. Good as long as the bytes are.
public struct NoteView {
    /// Nil where there are no 16 bytes of one.
    public private(set) var id: Note.ID?
    public private(set) var text = UnsafeRawBufferPointer(start: nil, count: 0)
    public private(set) var user = UnsafeRawBufferPointer(start: nil, count: 0)
    private var isInOrder = true

    /// Nil for bytes that are no encoded message.
    public init?(_ bytes: UnsafeRawBufferPointer) {
        var last: UInt64 = 0
        var fields = WireFields(bytes)
        while let (field, value) = fields.next() {
            if field <= last { isInOrder = false }
            last = field
            switch (NoteField(rawValue: field), value) {
            case (.id, .bytes(let bytes)):
                id = UUIDv7(bytes: bytes)
                if id == nil { isInOrder = false }
            case (.text, .bytes(let bytes)): text = bytes
            case (.user, .bytes(let bytes)): user = bytes
            case (.at, .number): break
            default: isInOrder = false
            }
        }
        guard fields.isWhole else { return nil }
    }

    /// As ``LandmarkView/isPlain``.
    var isPlain: Bool { isInOrder && WireText.isText(text) && WireText.isText(user) }
}

/// An encoded `SourceKey`, looked at where it lies.
struct SourceKeyView {
    private(set) var name = UnsafeRawBufferPointer(start: nil, count: 0)
    private var key = UnsafeRawBufferPointer(start: nil, count: 0)
    private var isInOrder = true

    /// Nil for bytes that are no encoded message.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var last: UInt64 = 0
        var fields = WireFields(bytes)
        while let (field, value) = fields.next() {
            if field <= last { isInOrder = false }
            last = field
            switch (SourceKeyField(rawValue: field), value) {
            case (.name, .bytes(let bytes)): name = bytes
            case (.key, .bytes(let bytes)): key = bytes
            default: isInOrder = false
            }
        }
        guard fields.isWhole else { return nil }
    }

    /// As ``LandmarkView/isPlain``.
    var isPlain: Bool { isInOrder && WireText.isText(name) && WireText.isText(key) }
}
