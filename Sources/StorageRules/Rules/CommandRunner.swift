// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SwiftProtobuf
import WaymarkProtocol

/// Executes commands by the rules. The runner uses only the tables of the engine's open transaction.
///
/// A command makes all checks before its first write, so a refused command has written nothing and needs no savepoint.
/// A refusal is thrown as `ServiceError`; any other error comes from the database.
package final class CommandRunner {
    /// The state in memory that is restored when the database is rolled back to a savepoint.
    struct Mark {
        fileprivate var head: Head
        fileprivate var newestRemoved: UInt64
        fileprivate var changes: Int
        fileprivate var accounts: UInt64
    }

    let tables: WriterTables
    // Copies of fields of `tables`, because every write uses them.
    let landmarks: any LandmarkTable
    private let log: any ChangeTable
    let accounts: AccountRules
    let hooks: HookRules
    let points: PointRules
    let grants: GrantRules
    package var ids = UUIDv7Generator()
    package private(set) var head: Head
    /// The first half of the greatest id that was ever removed.
    private var newestRemoved: UInt64
    /// The changes of the running batch, in the order of revisions.
    private(set) var changes: [EncodedChange] = []

    init(_ tables: WriterTables) throws {
        self.tables = tables
        (landmarks, log) = (tables.landmarks, tables.changes)
        accounts = try AccountRules(tables)
        hooks = HookRules(tables)
        points = PointRules(tables)
        grants = try GrantRules(tables)
        head = try log.head()
        newestRemoved = try landmarks.newestRemoved()
        ids.resume(after: UUIDv7(high: newestRemoved, low: 0))
        if let greatest = try landmarks.greatestID() { ids.resume(after: greatest) }
    }

    var mark: Mark {
        Mark(head: head, newestRemoved: newestRemoved, changes: changes.count, accounts: accounts.revision)
    }

    func rollBack(to mark: Mark) {
        (head, newestRemoved) = (mark.head, mark.newestRemoved)
        accounts.rollBack(to: mark.accounts)
        hooks.rollBack()
        changes.removeLast(changes.count - mark.changes)
    }

    /// Reserves memory for the changes of this many commands.
    func expect(_ commands: Int) { changes.reserveCapacity(commands) }

    func takeChanges() -> [EncodedChange] {
        defer { changes = [] }
        return changes
    }

    /// Executes the command of a request, and returns an encoded `Reply`.
    func run(_ request: WriteRequest) throws -> [UInt8] {
        let (caller, now) = (request.caller, request.now)
        return switch request.command {
        case .add(let draft, let note, let expires):
            try add(draft, note: note, expires: expires, by: caller, now: now).encoded
        case .edit(let id, let edit, let version):
            try self.edit(id, edit, ifVersion: version, by: caller, now: now).encoded
        case .move(let id, let place, let time): try move(id, to: place, at: time, by: caller, now: now).encoded
        case .remove(let id, let version): try remove(id, ifVersion: version, by: caller, now: now).encoded
        case .restore(let id): try restore(id, by: caller, now: now).encoded
        case .addNote(let id, let text): try addNote(to: id, text, by: caller, now: now).encoded
        case .editNote(let id, let text, let bearer): try editNote(id, text, on: bearer, by: caller, now: now).encoded
        case .removeNote(let id, let bearer): try removeNote(id, on: bearer, by: caller, now: now).encoded
        case .ingest(let batch): try ingest(batch, by: caller, now: now).serializedBytes()
        case .beginFetch(let fetch): try fetches.begin(fetch, by: caller, now: now).serializedBytes()
        case .endFetch(let source, let outcome):
            try fetches.end(source, outcome, by: caller, now: now).serializedBytes()
        case .account(.rewriteOwners(let limit)): try rewriteOwners(limit: limit, now: now).serializedBytes()
        case .account(let command): try account(command, by: caller, now: now).serializedBytes()
        case .addFence(let name, let filter, let isPrivate):
            try fences.add(name, filter, isPrivate: isPrivate, by: caller, head: head.rev, now: now).serializedBytes()
        case .removeFence(let name): try fences.remove(name, by: caller).serializedBytes()
        case .addHook(let draft): try hooks.add(draft, by: caller, head: head.rev, now: now).serializedBytes()
        case .changeHook(let change): try hooks.change(change, by: caller, head: head.rev, now: now).serializedBytes()
        case .hookTurn(let turn): try hooks.turn(turn, by: caller, head: head.rev, now: now).serializedBytes()
        case .addGrant(let add): try grants.add(add, by: caller, now: now).serializedBytes()
        case .endGrant(let digest): try grants.end(digest, by: caller).serializedBytes()
        case .addPoints(let batch): try points.add(batch, by: caller, now: now, in: self).serializedBytes()
        case .eraseTrack(let erasure): try points.erase(erasure, by: caller).serializedBytes()
        case .removeExpired: try grants.removeExpired(by: caller, now: now, in: self).serializedBytes()
        }
    }

    private func account(_ command: AccountCommand, by caller: Caller, now: UInt64) throws -> WireReply {
        let reply = try accounts.run(command, by: caller, now: now)
        if case .change(_, _, _, _, let ends) = command, ends {
            let number = reply.account.account.number
            try hooks.end(of: number, now: now)
            try tables.grants.deleteGrants(ofAccount: number)
            // The task erases the tracks of the account's landmarks.
            try tables.accounts.addOwnerTask(account: number, claimed: nil)
        }
        return reply
    }

    private var fetches: FetchRules { FetchRules(fetches: tables.fetches) }
    private var fences: FenceRules { FenceRules(fences: tables.fences) }

    // MARK: One revision

    /// Writes a new or changed landmark together with its change.
    ///
    /// - Parameter before: the landmark before the change; if the change restores it, as it was when it was removed.
    /// - Throws: ``ErrorCode/tooLarge`` before anything is written.
    func write(
        _ landmark: Landmark, _ operation: Change.Operation, before: StoredLandmark?, user: String, now: UInt64
    ) throws -> Landmark {
        var landmark = landmark
        let isNew = operation == .added
        let next = try head.next(landmarks: isNew ? 1 : 0)
        landmark.rev = next.rev
        landmark.version = try Self.version(after: before)
        landmark.updated = now
        let stored = StoredLandmark(landmark)
        guard stored.record.count <= LandmarkRules.grownBytes || Self.hasNotGrown(stored, since: before) else {
            throw Refusal.tooLarge(stored.record.count)
        }
        if isNew { try landmarks.insert(stored) } else { try landmarks.update(stored) }
        try append(
            next, operation, stored, before: isNew ? nil : before, previous: before?.landmark.rev ?? 0, user: user,
            now: now)
        return landmark
    }

    /// Removes a landmark with its notes, and writes the change.
    func erase(_ stored: StoredLandmark, user: String, now: UInt64) throws {
        let next = try head.next(landmarks: -1)
        for note in stored.landmark.notes { try landmarks.deleteNote(note.id) }
        try landmarks.delete(stored.landmark.id)
        try grants.removed(stored.landmark.id.high)
        try removed((stored.landmark.notes.map(\.id) + [stored.landmark.id]).max())
        try append(
            next, .removed, stored, before: stored, previous: stored.landmark.rev, user: user, now: now)
        try log.noteRemoval(of: stored.landmark.id, rev: head.rev)
    }

    /// Records a removed id, so that it is never given to another landmark, even if the clock is wrong after the next
    /// start. Ids in use need no record, because the greatest of them is read at the start.
    func removed(_ id: UUIDv7?) throws {
        guard let id, id.high > newestRemoved else { return }
        try landmarks.setNewestRemoved(id)
        newestRemoved = id.high
    }

    /// Whether the encoded landmark has not grown, not counting revision, version, time and coordinate. A landmark of
    /// the maximum size can thus still be edited and moved. These fields add less than 64 bytes.
    private static func hasNotGrown(_ after: StoredLandmark, since before: StoredLandmark?) -> Bool {
        guard let before else { return false }
        var same = after.landmark
        (same.rev, same.version) = (before.landmark.rev, before.landmark.version)
        (same.updated, same.coordinate) = (before.landmark.updated, before.landmark.coordinate)
        return same.encoded.count <= before.record.count
    }

    private static func version(after before: StoredLandmark?) throws(EngineError) -> UInt64 {
        let (version, overflows) = (before?.landmark.version ?? 0).addingReportingOverflow(1)
        guard !overflows else { throw .corrupted("a landmark has the impossible version \(version &- 1)") }
        return version
    }

    private func append(
        _ next: Head, _ operation: Change.Operation, _ after: StoredLandmark, before: StoredLandmark?,
        previous: UInt64, user: String, now: UInt64
    ) throws {
        head = next
        let change = EncodedChange(
            rev: head.rev, at: now, operation: operation, user: user,
            after: (FilterSubject(after.landmark), after.record),
            before: before.map { (FilterSubject($0.landmark), $0.record) })
        try log.append(
            head, previous: previous, at: now, operation: operation, version: after.landmark.version, user: user,
            payload: change.bytes)
        changes.append(change)
    }
}
