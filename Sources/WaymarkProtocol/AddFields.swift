// SPDX-License-Identifier: Apache-2.0

/// The fields of an encoded `Add`, not checked against any rule.
public struct AddFields: Hashable, Sendable {
    public var draft: DraftFields?
    /// The text of the first note; empty if there is none.
    public var note = ""
    /// The time at which storage removes the landmark, in Unix milliseconds; 0 for never.
    public var expires: UInt64 = 0

    public init(_ wire: WireAdd) {
        (draft, note, expires) = (wire.hasDraft ? DraftFields(wire.draft) : nil, wire.note, wire.expires)
    }

    /// Reads an encoded `Request` that adds a landmark, without the generated code, because no other write is as
    /// frequent.
    ///
    /// Nil for any other request, and for an unusual encoding, which the generated code has to read.
    public init?(request: UnsafeRawBufferPointer) {
        guard let add = WireFields.only(RequestKind.add, of: request) else { return nil }
        var fields = WireFields(add)
        while let (field, value) = fields.next() {
            switch (AddField(rawValue: field), value) {
            // A second draft is left to the generated code, which would merge it with the first.
            case (.draft, .bytes(let bytes)) where draft == nil:
                guard let read = DraftFields(bytes) else { return nil }
                draft = read
            case (.note, .bytes(let bytes)):
                guard let text = WireText.string(bytes) else { return nil }
                note = text
            case (.expires, .number(let time)): expires = time
            default: return nil
            }
        }
        guard fields.isWhole else { return nil }
    }
}
