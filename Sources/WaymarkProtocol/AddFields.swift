// SPDX-License-Identifier: Apache-2.0

internal import Landmarks

/// The fields of an `Add`: unchecked.
public struct AddFields: Hashable, Sendable {
    public var draft: DraftFields?
    /// Empty: none.
    public var note = ""

    public init(_ wire: WireAdd) { (draft, note) = (wire.hasDraft ? DraftFields(wire.draft) : nil, wire.note) }

    /// Reads an encoded `Request` that adds a landmark, without making objects of it: no other write is asked for as
    /// often.
    ///
    /// - Returns: nil for anything else, and for what is encoded in another way than usual: the generated code reads that.
    public init?(request: UnsafeRawBufferPointer) {
        guard let add = WireFields.only(RequestKind.add, of: request) else { return nil }
        var fields = WireFields(add)
        while let (field, value) = fields.next() {
            switch (AddField(rawValue: field), value) {
            // A second draft would be merged with the first.
            case (.draft, .bytes(let bytes)) where draft == nil:
                guard let read = DraftFields(bytes) else { return nil }
                draft = read
            case (.note, .bytes(let bytes)):
                guard let text = WireText.string(bytes) else { return nil }
                note = text
            default: return nil
            }
        }
        guard fields.isWhole else { return nil }
    }
}
