// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import Landmarks
import WaymarkProtocol
import ZeroMQ

@testable import StorageRules

/// The tables in dictionaries: what an engine has to offer to the rules, and nothing more.
final class MemoryTables {
    struct Rows {
        var landmarks: [UInt64: [UInt8]] = [:]
        var notes: [UInt64: (low: UInt64, landmark: UInt64)] = [:]
        var newestRemoved: UInt64 = 0
        var head = Head()
        var changes: [[UInt8]] = []
        var removals: [UInt64: UInt64] = [:]
        var sources: [SourceKey: RememberedRow] = [:]
        var fetches: [String: FetchState] = [:]
        var points: [UInt64: [UInt64: TrackPoint]] = [:]
        var grants: [[UInt8]: WireGrant] = [:]
        var expiries: [UInt64: UInt64] = [:]
        var accounts: [StoredAccount] = []
        var keys: [CurveKey: (account: UInt64, info: WireKeyInfo)] = [:]
        var newestRevision: UInt64 = 0
        var invitations: [UInt64: AccountCommand.Invitation] = [:]
        var tasks: [OwnerTask] = []
        var lastTask: UInt64 = 0
        var fences: [String: WireFence] = [:]
        var hooks: [UInt64: WireHook] = [:]
        var failures: [UInt64: WireHookFailure] = [:]
        /// The last numbers of fences, hooks and their messages.
        var lastNumbers: [UInt64] = [0, 0, 0]
        var answers: [UInt64: (key: AnswerBook.Key, answer: AnswerBook.Answer)] = [:]
        var marks: [UInt64: (client: UUIDv7, sequence: UInt64)] = [:]
    }

    var rows = Rows()

    var tables: WriterTables {
        WriterTables(
            landmarks: self, changes: self, sources: self, fetches: self, tracks: self, accounts: self,
            fences: self, hooks: self, grants: self, answers: MemoryAnswers(self), marks: MemoryMarks(self),
            inSavepoint: { [self] body in
                let before = rows
                var isKept = false
                defer { if !isKept { rows = before } }
                isKept = try body()
            })
    }
}

extension MemoryTables: LandmarkTable {
    func find(key: UInt64) throws -> StoredLandmark? { try rows.landmarks[key].map { try StoredLandmark(record: $0) } }
    func insert(_ stored: StoredLandmark) { rows.landmarks[stored.landmark.id.high] = stored.record }
    func update(_ stored: StoredLandmark) { rows.landmarks[stored.landmark.id.high] = stored.record }
    func delete(_ id: Landmark.ID) { rows.landmarks[id.high] = nil }
    func records(after key: UInt64, limit: Int) -> [[UInt8]] {
        rows.landmarks.filter { $0.key > key }.sorted { $0.key < $1.key }.prefix(limit).map(\.value)
    }
    func landmark(bearing note: Note.ID) -> UInt64? {
        rows.notes[note.high].flatMap { $0.low == note.low ? $0.landmark : nil }
    }
    func insertNote(_ note: Note.ID, on landmark: Landmark.ID) { rows.notes[note.high] = (note.low, landmark.high) }
    func deleteNote(_ note: Note.ID) { rows.notes[note.high] = nil }
    func newestRemoved() -> UInt64 { rows.newestRemoved }
    func setNewestRemoved(_ id: UUIDv7) { rows.newestRemoved = id.high }
    func greatestID() throws -> UUIDv7? {
        let greatest = try rows.landmarks.values.map { try StoredLandmark(record: $0).landmark.id }.max()
        let note = rows.notes.max { $0.key < $1.key }.map { UUIDv7(high: $0.key, low: $0.value.low) }
        return [greatest, note].compactMap { $0 }.max()
    }
}

extension MemoryTables: ChangeTable, SourceTable, FetchTable {
    func head() -> Head { rows.head }
    func append(
        _ head: Head, previous: UInt64, at: UInt64, operation: Change.Operation, version: UInt64, user: String,
        payload: [UInt8]
    ) {
        rows.head = head
        rows.changes.append(payload)
    }
    func noteRemoval(of id: Landmark.ID, rev: UInt64) { rows.removals[id.high] = rev }
    func removal(of id: Landmark.ID) -> [UInt8]? { rows.removals[id.high].map { rows.changes[Int($0) - 1] } }

    func find(_ key: SourceKey) -> RememberedRow? { rows.sources[key] }
    func insert(_ key: SourceKey, _ row: RememberedRow) { rows.sources[key] = row }
    func update(_ key: SourceKey, _ row: RememberedRow) { rows.sources[key] = row }
    func delete(_ key: SourceKey) { rows.sources[key] = nil }
    func hasRows(of source: String) -> Bool { rows.sources.keys.contains { $0.name == source } }

    func find(_ source: String) -> FetchState? { rows.fetches[source] }
    func store(_ state: FetchState) { rows.fetches[state.listed.source] = state }
    func forget(_ source: String) { rows.fetches[source] = nil }
}

extension MemoryTables: AccountTable {
    func newestRevision() -> UInt64 { rows.newestRevision }
    func find(_ number: UInt64) -> StoredAccount? { rows.accounts.first { $0.account.number == number } }
    func find(named name: String) -> StoredAccount? {
        rows.accounts.first { $0.account.name.lowercased() == name.lowercased() }
    }
    func count(_ role: Role) -> Int { rows.accounts.count { $0.account.role == role && $0.ended == 0 } }
    func insert(_ name: String, _ role: Role, revision: UInt64, now: UInt64) -> StoredAccount {
        let account = Account(number: UInt64(rows.accounts.count + 1), name: name, role: role, isEnded: false)
        rows.accounts.append(StoredAccount(account: account, password: "", created: now, ended: 0))
        rows.newestRevision = revision
        return rows.accounts[rows.accounts.count - 1]
    }
    func update(_ stored: StoredAccount, revision: UInt64) {
        rows.accounts = rows.accounts.map { $0.account.number == stored.account.number ? stored : $0 }
        rows.newestRevision = revision
    }
    func key(_ key: CurveKey) -> (account: UInt64, info: WireKeyInfo)? { rows.keys[key] }
    func usableKeys(of account: UInt64, now: UInt64) -> Int {
        rows.keys.values.count { $0.account == account && $0.info.kind != .session && $0.info.ended == 0 }
    }
    func insert(_ key: AccountCommand.NewKey, of account: UInt64, revision: UInt64, now: UInt64) {
        rows.keys[key.key] = (
            account,
            .with {
                ($0.key, $0.label, $0.made, $0.kind) = (Data(key.key.bytes), key.label, now, key.kind.wire)
                ($0.expires, $0.readsOnly) = (key.expires, key.readsOnly)
            }
        )
        rows.newestRevision = revision
    }
    func end(_ key: CurveKey, revision: UInt64, now: UInt64) {
        rows.keys[key]?.info.ended = now
        rows.newestRevision = revision
    }
    func endKeys(of account: UInt64, revision: UInt64, now: UInt64) {
        for (key, value) in rows.keys where value.account == account && value.info.ended == 0 {
            end(key, revision: revision, now: now)
        }
        rows.newestRevision = revision
    }
    func endSessions(of account: UInt64, keeping newest: Int, except key: CurveKey?, revision: UInt64, now: UInt64) {
        let sessions = rows.keys.filter { $0.value.account == account && $0.value.info.kind == .session }
            .filter { $0.value.info.ended == 0 && $0.key != key }.sorted { $0.value.info.made > $1.value.info.made }
        for (key, _) in sessions.dropFirst(newest) { end(key, revision: revision, now: now) }
    }
    func forgetKeys(of account: UInt64, endedBefore time: UInt64, keeping newest: Int, now: UInt64) -> UInt64 {
        // The commands of the tests never end as many as are kept.
        let old = rows.keys.filter { $0.value.account == account }.filter {
            let (ended, expires) = ($0.value.info.ended, $0.value.info.expires)
            return (ended > 0 && ended < time) || (expires > 0 && expires < time)
        }
        for key in old.keys { rows.keys[key] = nil }
        return 0
    }
}

/// Invitations and tasks of owners.
extension MemoryTables {
    func store(_ invitation: AccountCommand.Invitation, for account: UInt64) { rows.invitations[account] = invitation }
    func isValid(invitation digest: [UInt8], for account: UInt64, now: UInt64) -> Bool {
        rows.invitations[account].map { $0.digest == digest && $0.expires > now } ?? false
    }
    func removeInvitation(of account: UInt64) { rows.invitations[account] = nil }

    func ownerTask() -> OwnerTask? { rows.tasks.first }
    func addOwnerTask(account: UInt64, claimed: String?) {
        rows.lastTask += 1
        rows.tasks.append(OwnerTask(id: rows.lastTask, account: account, claimed: claimed, after: 0))
    }
    func advance(_ task: OwnerTask, to key: UInt64?) {
        guard let place = rows.tasks.firstIndex(where: { $0.id == task.id }) else { return }
        if let key { rows.tasks[place].after = key } else { rows.tasks.remove(at: place) }
    }
}
