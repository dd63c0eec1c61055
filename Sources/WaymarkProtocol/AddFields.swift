// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// The fields of an encoded `Add`, not checked against any rule.
public struct AddFields: Hashable, Sendable {
    public var hasDraft = false
    public var name = ""
    public var lat = 0.0
    public var lng = 0.0
    public var attributes = Attributes()
    /// The text of the first note; empty if there is none.
    public var note = ""

    public init(_ wire: WireAdd) {
        let draft = wire.draft
        (hasDraft, name, lat, lng) = (wire.hasDraft, draft.name, draft.lat, draft.lng)
        (attributes, note) = (Attributes(draft.attributes), wire.note)
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
            case (.draft, .bytes(let draft)) where !hasDraft:
                hasDraft = true
                guard read(draft: draft) else { return nil }
            case (.note, .bytes(let bytes)):
                guard let text = WireText.string(bytes) else { return nil }
                note = text
            default: return nil
            }
        }
        guard fields.isWhole else { return nil }
    }

    private mutating func read(draft: UnsafeRawBufferPointer) -> Bool {
        var fields = WireFields(draft)
        while let (field, value) = fields.next() {
            switch (DraftField(rawValue: field), value) {
            case (.name, .bytes(let bytes)):
                guard let text = WireText.string(bytes) else { return false }
                name = text
            case (.lat, .fixed64(let bits)): lat = Double(bitPattern: bits)
            case (.lng, .fixed64(let bits)): lng = Double(bitPattern: bits)
            case (.attributes, .bytes(let landmark)): guard attributes.read(landmark: landmark) else { return false }
            default: return false
            }
        }
        return fields.isWhole
    }
}
