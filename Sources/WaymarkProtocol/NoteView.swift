// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// Reads an encoded `Note`, of which it copies only unknown fields. Valid as long as the bytes.
public struct NoteView {
    /// The id; nil if it does not have 16 bytes.
    public private(set) var id: Note.ID?
    public private(set) var text = UnsafeRawBufferPointer(start: nil, count: 0)
    public private(set) var user = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The time in Unix milliseconds.
    public private(set) var at: UInt64 = 0
    public private(set) var account: UInt64 = 0
    /// Unknown fields, as in ``Landmark``.
    private(set) var later: [UInt8] = []
    private var isInOrder = true

    /// Finds the fields. Nil if the bytes are not an encoded message.
    public init?(_ bytes: UnsafeRawBufferPointer) {
        var last: UInt64 = 0
        var (fields, here) = (WireFields(bytes), bytes)
        while let (field, value) = fields.next() {
            if field <= last { isInOrder = false }
            last = field
            switch (NoteField(rawValue: field), value) {
            case (.id, .bytes(let bytes)):
                id = UUIDv7(bytes: bytes)
                if id == nil { isInOrder = false }
            case (.text, .bytes(let bytes)): text = bytes
            case (.user, .bytes(let bytes)): user = bytes
            case (.at, .number(let time)): at = time
            case (.account, .number(let number)): account = number
            default:
                isInOrder = false
                later += here.dropLast(fields.rest.count)
            }
            here = fields.rest
        }
        guard fields.isWhole else { return nil }
    }

    /// Whether the bytes are exactly as this release encodes a note; see ``LandmarkView/isPlain``.
    var isPlain: Bool { isInOrder && id != nil && WireText.isText(text) && WireText.isText(user) }
}

/// Reads an encoded `SourceKey` without copying it. Valid as long as the bytes.
public struct SourceKeyView {
    public private(set) var name = UnsafeRawBufferPointer(start: nil, count: 0)
    public private(set) var key = UnsafeRawBufferPointer(start: nil, count: 0)
    private var isInOrder = true

    /// Finds the fields. Nil if the bytes are not an encoded message.
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

    /// Whether the bytes are exactly as this release encodes a source key; see ``LandmarkView/isPlain``.
    var isPlain: Bool { isInOrder && WireText.isText(name) && WireText.isText(key) }
}
