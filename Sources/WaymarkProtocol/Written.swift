// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// The result of a write that concerns one landmark, or a note on it.
public struct Written: Hashable, Sendable {
    /// The id of the landmark.
    public var id: Landmark.ID
    public var rev: UInt64
    public var version: UInt64
    /// The id of the added note; nil if none was added.
    public var note: Note.ID?
    /// Whether the landmark already was as requested, so that the write made no revision.
    public var isUnchanged: Bool

    public init(_ landmark: Landmark, note: Note.ID? = nil, isUnchanged: Bool = false) {
        (id, rev, version) = (landmark.id, landmark.rev, landmark.version)
        (self.note, self.isUnchanged) = (note, isUnchanged)
    }

    /// Converts the generated message. Nil if it has no id.
    public init?(_ wire: WireWritten) {
        guard let id = UUIDv7(bytes: wire.id) else { return nil }
        (self.id, rev, version) = (id, wire.rev, wire.version)
        (note, isUnchanged) = (UUIDv7(bytes: wire.note), wire.unchanged)
    }

    /// The result as an encoded `Reply`.
    public var encoded: [UInt8] {
        var written = WireWriter(expecting: 64)
        written.id(WrittenField.id, id)
        written.number(WrittenField.rev, rev)
        written.number(WrittenField.version, version)
        if let note { written.id(WrittenField.note, note) }
        written.flag(WrittenField.unchanged, isUnchanged)
        var reply = WireWriter(expecting: 72)
        reply.message(ReplyField.written, written.bytes)
        return reply.bytes
    }
}
