// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkProtocol

/// The fields of an encoded landmark that the text search needs, as pointers into the encoded bytes. They are valid
/// only as long as those bytes.
struct SearchedLandmark {
    private(set) var id = UUIDv7(high: 0, low: 0)
    private(set) var name = UnsafeRawBufferPointer(start: nil, count: 0)
    private(set) var kind = UnsafeRawBufferPointer(start: nil, count: 0)
    private(set) var user = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The name of the source; nil if the landmark has no source.
    private(set) var source: UnsafeRawBufferPointer?
    /// The texts and user names of all notes.
    private(set) var notes = ""
    /// Whether the landmark was removed. Only the initialiser for a change can set it.
    private(set) var isRemoved = false

    /// - Parameter record: an encoded `Landmark`.
    /// - Throws: ``EngineError/corrupted(_:)`` if the bytes cannot be read.
    init(_ record: UnsafeRawBufferPointer) throws(EngineError) {
        guard let view = LandmarkView(record), let id = view.id, let source = view.sourceName else {
            throw Self.unreadable
        }
        (self.id, name, kind, user) = (id, view.name, view.kind, view.user)
        self.source = view.hasSource ? source : nil
        var notes: [String] = []
        try view.forEachNote { note throws(EngineError) in
            guard let note else { throw Self.unreadable }
            notes.append("\(try Self.string(note.user)) \(try Self.string(note.text))")
        }
        self.notes = notes.joined(separator: "\n")
    }

    /// - Parameter change: an encoded `Change`.
    /// - Throws: ``EngineError/corrupted(_:)`` if the bytes cannot be read.
    init(change: UnsafeRawBufferPointer) throws(EngineError) {
        guard let view = ChangeView(change), let landmark = view.landmark, let operation = view.operation else {
            throw .corrupted("a change cannot be read")
        }
        try self.init(landmark)
        isRemoved = operation == .removed
    }

    /// - Throws: ``EngineError/corrupted(_:)`` if the bytes are not UTF-8.
    static func string(_ bytes: UnsafeRawBufferPointer) throws(EngineError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw unreadable }
        return text
    }

    static let unreadable = EngineError.corrupted("a landmark cannot be read")
}
