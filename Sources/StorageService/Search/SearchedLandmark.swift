// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkProtocol

/// What the text search takes of an encoded landmark, where it lies: nothing is copied that is only ASCII. Good as long
/// as those bytes are.
struct SearchedLandmark {
    private(set) var id = UUIDv7(high: 0, low: 0)
    private(set) var name = UnsafeRawBufferPointer(start: nil, count: 0)
    private(set) var kind = UnsafeRawBufferPointer(start: nil, count: 0)
    private(set) var user = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The source's name; nil for a landmark that came from none.
    private(set) var source: UnsafeRawBufferPointer?
    /// Of all notes together, with who wrote them.
    private(set) var notes = ""

    /// - Parameter record: an encoded `Landmark`; the numbers are those of the fields in `waymark.proto`.
    /// - Throws: ``EngineError/corrupted(_:)``.
    init(_ record: UnsafeRawBufferPointer) throws(EngineError) {
        var fields = WireFields(record)
        var hasID = false
        while let (field, value) = fields.next() {
            guard case .bytes(let bytes) = value else { continue }
            switch field {
            case 1:
                guard let id = UUIDv7(bytes: bytes) else { throw Self.unreadable }
                (self.id, hasID) = (id, true)
            case 2: name = bytes
            case 5: kind = bytes
            case 7: user = bytes
            case 8: source = try Self.text(1, of: bytes)
            case 10:
                let note = [try Self.text(3, of: bytes), try Self.text(2, of: bytes)]
                let texts = try note.map { text throws(EngineError) in try Self.string(text) }
                notes += (notes.isEmpty ? "" : "\n") + texts.joined(separator: " ")
            default: break
            }
        }
        guard fields.isWhole, hasID else { throw Self.unreadable }
    }

    /// A field of a message within it; empty where there is none.
    private static func text(
        _ wanted: UInt64, of message: UnsafeRawBufferPointer
    ) throws(EngineError) -> UnsafeRawBufferPointer {
        var (fields, found) = (WireFields(message), UnsafeRawBufferPointer(start: nil, count: 0))
        while let (field, value) = fields.next() {
            if field == wanted, case .bytes(let bytes) = value { found = bytes }
        }
        guard fields.isWhole else { throw unreadable }
        return found
    }

    /// - Throws: ``EngineError/corrupted(_:)`` for what is no UTF-8.
    static func string(_ bytes: UnsafeRawBufferPointer) throws(EngineError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw unreadable }
        return text
    }

    static let unreadable = EngineError.corrupted("a landmark cannot be read")
}

/// What the text search takes of an encoded change.
struct SearchedChange {
    let isRemoval: Bool
    /// The record of the landmark.
    let landmark: UnsafeRawBufferPointer

    /// - Throws: ``EngineError/corrupted(_:)``.
    init(_ change: UnsafeRawBufferPointer) throws(EngineError) {
        var (operation, landmark): (UInt64, UnsafeRawBufferPointer?) = (0, nil)
        var fields = WireFields(change)
        while let (field, value) = fields.next() {
            switch (field, value) {
            case (3, .number(let number)): operation = number
            case (5, .bytes(let bytes)): landmark = bytes
            default: break
            }
        }
        let known = Change.Operation(WireChange.Operation(rawValue: Int(clamping: operation)) ?? .unspecified)
        guard fields.isWhole, let landmark, let known else { throw .corrupted("a change cannot be read") }
        (isRemoval, self.landmark) = (known == .removed, landmark)
    }
}
