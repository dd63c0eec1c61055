// SPDX-License-Identifier: Apache-2.0

public import Landmarks

// `EncodedTests` holds these bytes against those of the generated code.

extension Landmark {
    /// An encoded `Landmark`.
    public var encoded: [UInt8] {
        var wire = WireWriter(
            expecting: 112 + name.utf8.count + attributes.textBytes + user.utf8.count + later.count)
        wire.id(LandmarkField.id, id)
        wire.text(LandmarkField.name, name)
        wire.double(LandmarkField.lat, coordinate.latitude)
        wire.double(LandmarkField.lng, coordinate.longitude)
        let (user, notes, last) = (
            LandmarkField.user.rawValue, LandmarkField.notes.rawValue, LandmarkField.updated.rawValue
        )
        wire.attributes(attributes, in: 0..<user)
        wire.text(LandmarkField.user, self.user)
        if let source { wire.message(LandmarkField.source, source.encoded) }
        wire.attributes(attributes, in: user..<notes)
        for note in self.notes { wire.message(LandmarkField.notes, note.encoded) }
        wire.number(LandmarkField.version, version)
        wire.number(LandmarkField.rev, rev)
        wire.number(LandmarkField.created, created)
        wire.number(LandmarkField.updated, updated)
        let account = LandmarkField.account.rawValue
        wire.attributes(attributes, in: last..<account)
        wire.number(LandmarkField.account, self.account)
        wire.attributes(attributes, in: account..<UInt64.max)
        wire.bytes += later
        return wire.bytes
    }
}

extension SourceKey {
    fileprivate var encoded: [UInt8] {
        var wire = WireWriter(expecting: 16 + name.utf8.count + key.utf8.count)
        wire.text(SourceKeyField.name, name)
        wire.text(SourceKeyField.key, key)
        wire.bytes += later
        return wire.bytes
    }
}

extension Note {
    fileprivate var encoded: [UInt8] {
        var wire = WireWriter(expecting: 48 + text.utf8.count + user.utf8.count)
        wire.id(NoteField.id, id)
        wire.text(NoteField.text, text)
        wire.text(NoteField.user, user)
        wire.number(NoteField.at, at)
        wire.number(NoteField.account, account)
        wire.bytes += later
        return wire.bytes
    }
}

extension LandmarkDraft {
    /// An encoded `LandmarkDraft`.
    public var encoded: [UInt8] {
        var wire = WireWriter(expecting: 48 + name.utf8.count + attributes.textBytes)
        wire.text(DraftField.name, name)
        wire.double(DraftField.lat, coordinate.latitude)
        wire.double(DraftField.lng, coordinate.longitude)
        wire.draftAttributes(attributes)
        if let others = attributes.encodedWithoutDraftField { wire.message(DraftField.attributes, others) }
        return wire.bytes
    }
}
