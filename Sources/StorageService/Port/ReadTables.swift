// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import Landmarks
import WaymarkProtocol
import ZeroMQ

/// What reads need of a database: all of it in one state, that of one revision. The pages, their limits and their filters
/// are written once above it.
protocol ReadTables {
    func epoch() throws -> UUIDv7
    func head() throws -> Head
    /// The oldest revision that the log keeps; 1 while there is none.
    func floor() throws -> UInt64
    /// Whether the run is known, and the first revision of the one after it; nil: there is none.
    func follower(of run: UUIDv7) throws -> (isKnown: Bool, first: UInt64?)

    /// The changes after a revision in their order, encoded, `limit` of them, or until `body` returns false.
    func changes(after rev: UInt64, limit: Int, _ body: (_ rev: UInt64, Data) throws -> Bool) throws
    /// When a revision was made, in Unix milliseconds; nil: it is not kept.
    func time(of rev: UInt64) throws -> UInt64?
    /// The revisions of one landmark, newest first, from this one back.
    ///
    /// - Returns: also whether an older one is no longer kept.
    func history(from rev: UInt64, limit: Int) throws -> (entries: [WireReadyHistoryEntry], isCut: Bool)

    /// The landmarks with greater keys in the order of keys, encoded, `limit` of them, or until `body` returns false.
    func landmarks(after key: UInt64, limit: Int, _ body: (Landmark.ID, Data) throws -> Bool) throws
    /// Those that exist, in the order of `ids`.
    func records(_ ids: [Landmark.ID]) throws -> [(id: Landmark.ID, record: Data)]
    /// The points of a track after a revision in their order, `limit` of them, or until `body` returns false.
    func points(
        of landmark: UInt64, after rev: UInt64, limit: Int, _ body: (TrackPoint) throws -> Bool
    ) throws

    /// In the order of their names.
    func fetchStates() throws -> [FetchState]
    /// How many landmarks each source has.
    func sourceCounts() throws -> [(source: String, landmarks: UInt64)]
    /// The keys of a source's rows, byte by byte in their order.
    func sourceKeys(_ source: String, after key: String, limit: Int) throws -> [String]

    func account(named name: String) throws -> StoredAccount?
    func account(_ number: UInt64) throws -> StoredAccount?
    func accounts(after number: UInt64, limit: Int) throws -> [StoredAccount]
    /// Without its sessions.
    func usableKeys(of account: UInt64, now: UInt64) throws -> Int
    /// Until when an invitation waits for the account; nil: there is none.
    func invitationExpires(of account: UInt64) throws -> UInt64?
    func isInvited(_ account: UInt64, _ digest: [UInt8], now: UInt64) throws -> Bool
    /// Newest first.
    func keys(of account: UInt64, limit: Int) throws -> [WireKeyInfo]
    func key(_ key: CurveKey) throws -> (account: UInt64, info: WireKeyInfo)?
    /// The accounts and keys that changed after a revision of theirs, in its order, about `limit` of them: all of the last
    /// revision.
    func accountNews(since revision: UInt64, limit: Int) throws -> AccountNews
    /// Newest first, with smaller ids; 0: all.
    func audit(before id: UInt64, limit: Int) throws -> [WireAuditEntry]

    func databaseBytes() throws -> UInt64
}

extension ReadTables {
    func record(_ id: Landmark.ID) throws -> Data? { try records([id]).first?.record }

    /// Whether `run` can have reached `rev` in this history: the run is known, and the next run began later.
    func canHaveReached(_ rev: UInt64, _ run: UUIDv7) throws -> Bool {
        let (isKnown, next) = try follower(of: run)
        return isKnown && next.map { $0 > rev } ?? true
    }
}

/// A database that can be read from any thread, while the writer writes.
protocol ReadableDatabase: Sendable {
    /// All that `body` reads is of one state, at least as new as the last commit before the call.
    ///
    /// - Throws: ``EngineError/closed``, or whatever `body` met.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any ReadTables) throws -> Value
    ) async throws(EngineError) -> Value
}
