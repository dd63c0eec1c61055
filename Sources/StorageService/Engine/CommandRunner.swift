// SPDX-License-Identifier: Apache-2.0

import GRDB
import Landmarks
import SwiftProtobuf
import WaymarkProtocol

/// Does commands inside the engine's transaction.
///
/// A command looks at everything that may refuse it before it writes anything, so that a refusal leaves nothing behind
/// and needs no savepoint. It throws a `ServiceError` for a refusal; any other error is the database's.
final class CommandRunner {
    /// What a savepoint has to give back, beside what SQLite does.
    struct Mark {
        fileprivate var head: Head
        fileprivate var changes: Int
    }

    let db: Database
    let landmarks: LandmarkTable
    let sources: SourceTable
    let fetches: FetchTable
    private let log: ChangeTable
    var ids = UUIDv7Generator()
    private(set) var head: Head
    /// Of the open transaction, in the order of revisions.
    private(set) var changes: [CommittedChange] = []

    init(_ db: Database) throws {
        self.db = db
        landmarks = try LandmarkTable(db)
        sources = try SourceTable(db)
        fetches = try FetchTable(db)
        log = try ChangeTable(db)
        head = try ChangeTable.head(db)
        if let greatest = try LandmarkTable.greatestID(db) { ids.resume(after: greatest) }
    }

    var mark: Mark { Mark(head: head, changes: changes.count) }

    func rollBack(to mark: Mark) {
        head = mark.head
        changes.removeLast(changes.count - mark.changes)
    }

    /// Before so many commands are done.
    func expect(_ commands: Int) { changes.reserveCapacity(commands) }

    func takeChanges() -> [CommittedChange] {
        defer { changes = [] }
        return changes
    }

    /// - Returns: an encoded `Reply`.
    func run(_ request: WriteRequest) throws -> [UInt8] {
        let (user, now) = (request.user, request.now)
        return switch request.command {
        case .add(let draft, let note): try add(draft, note: note, user: user, now: now).encoded
        case .edit(let id, let edit, let version):
            try self.edit(id, edit, ifVersion: version, user: user, now: now).encoded
        case .remove(let id, let version): try remove(id, ifVersion: version, user: user, now: now).encoded
        case .addNote(let id, let text): try addNote(to: id, text, user: user, now: now).encoded
        case .editNote(let id, let text): try editNote(id, text, user: user, now: now).encoded
        case .removeNote(let id): try removeNote(id, user: user, now: now).encoded
        case .ingest(let batch): try ingest(batch, now: now).serializedBytes()
        case .beginFetch(let fetch): try beginFetch(fetch, now: now).serializedBytes()
        case .endFetch(let source, let outcome): try endFetch(source, outcome, now: now).serializedBytes()
        }
    }

    // MARK: One revision

    /// Writes a landmark that is new or other than before, and the change that says so.
    ///
    /// - Throws: ``ErrorCode/tooLarge``, before anything is written.
    func write(
        _ landmark: Landmark, _ operation: Change.Operation, before: StoredLandmark?, user: String, now: UInt64
    ) throws -> Landmark {
        var landmark = landmark
        landmark.rev = head.rev + 1
        landmark.version = (before?.landmark.version ?? 0) + 1
        landmark.updated = now
        let stored = StoredLandmark(landmark)
        guard stored.record.count <= LandmarkRules.recordBytes else { throw Refusal.tooLarge(stored.record.count) }
        if before == nil {
            try landmarks.insert(landmark.id, stored.record)
            head.landmarks += 1
        } else {
            try landmarks.update(landmark.id, stored.record)
        }
        try append(operation, stored, before: before, version: landmark.version, user: user, now: now)
        return landmark
    }

    /// Removes a landmark with its notes, and writes the change that says so.
    func erase(_ stored: StoredLandmark, user: String, now: UInt64) throws {
        for note in stored.landmark.notes { try landmarks.deleteNote(note.id) }
        try landmarks.delete(stored.landmark.id)
        head.landmarks -= 1
        try append(.removed, stored, before: stored, version: stored.landmark.version, user: user, now: now)
    }

    private func append(
        _ operation: Change.Operation, _ after: StoredLandmark, before: StoredLandmark?, version: UInt64,
        user: String, now: UInt64
    ) throws {
        head.rev += 1
        let bytes = Change.encoded(
            rev: head.rev, at: now, operation: operation, user: user, landmark: after.record, before: before?.record)
        try log.append(
            head, previous: before?.landmark.rev ?? 0, at: now, operation: operation, version: version, user: user,
            payload: bytes)
        changes.append(
            CommittedChange(
                rev: head.rev, operation: operation, after: FilterSubject(after.landmark),
                before: (before?.landmark).map(FilterSubject.init), bytes: bytes))
    }
}
