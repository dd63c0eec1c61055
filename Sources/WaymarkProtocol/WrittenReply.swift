// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// The answer to a write of one landmark or note.
public struct WrittenReply: Hashable, Sendable {
    /// The id of the landmark.
    public var id: Landmark.ID
    public var rev: UInt64
    public var version: UInt64
    /// The note that was added.
    public var note: Note.ID?
    /// The write changed nothing, so it made no revision.
    public var isUnchanged: Bool

    public init(_ landmark: Landmark, note: Note.ID? = nil, isUnchanged: Bool = false) {
        (id, rev, version) = (landmark.id, landmark.rev, landmark.version)
        (self.note, self.isUnchanged) = (note, isUnchanged)
    }

    /// An encoded `Reply`.
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
