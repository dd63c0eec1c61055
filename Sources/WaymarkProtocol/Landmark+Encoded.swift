// SPDX-License-Identifier: Apache-2.0

public import Landmarks

// The numbers are those of the fields in `waymark.proto`. `EncodedTests` holds these bytes against the generated code's.

extension Landmark {
    /// An encoded `Landmark`.
    public var encoded: [UInt8] {
        var wire = WireWriter(expecting: 112 + name.utf8.count + kind.utf8.count + link.utf8.count + user.utf8.count)
        wire.id(1, id)
        wire.text(2, name)
        wire.double(3, coordinate.latitude)
        wire.double(4, coordinate.longitude)
        wire.text(5, kind)
        wire.text(6, link)
        wire.text(7, user)
        if let source { wire.message(8, source.encoded) }
        if let rating { wire.optional(9, rating) }
        for note in notes { wire.message(10, note.encoded) }
        wire.number(11, version)
        wire.number(12, rev)
        wire.number(13, created)
        wire.number(14, updated)
        return wire.bytes
    }
}

extension SourceKey {
    fileprivate var encoded: [UInt8] {
        var wire = WireWriter(expecting: 16 + name.utf8.count + key.utf8.count)
        wire.text(1, name)
        wire.text(2, key)
        return wire.bytes
    }
}

extension Note {
    fileprivate var encoded: [UInt8] {
        var wire = WireWriter(expecting: 48 + text.utf8.count + user.utf8.count)
        wire.id(1, id)
        wire.text(2, text)
        wire.text(3, user)
        wire.number(4, at)
        return wire.bytes
    }
}

extension LandmarkDraft {
    /// An encoded `LandmarkDraft`.
    public var encoded: [UInt8] {
        var wire = WireWriter(expecting: 48 + name.utf8.count + kind.utf8.count + link.utf8.count)
        wire.text(1, name)
        wire.double(2, coordinate.latitude)
        wire.double(3, coordinate.longitude)
        wire.text(4, kind)
        wire.text(5, link)
        if let rating { wire.optional(6, rating) }
        return wire.bytes
    }
}
