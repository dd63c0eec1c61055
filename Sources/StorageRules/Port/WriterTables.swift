// SPDX-License-Identifier: Apache-2.0

/// The operations that the rules need from a database: a few on each table, inside the writer's open transaction.
///
/// An engine implements these tables. The rules (permissions, versions, merging of ingests, leases of sources, answers
/// to repeated requests) are written once and use only these tables.
package struct WriterTables {
    var landmarks: any LandmarkTable
    var changes: any ChangeTable
    var sources: any SourceTable
    var fetches: any FetchTable
    var tracks: any TrackTable
    var accounts: any AccountTable
    var fences: any FenceTable
    var hooks: any HookTable
    var grants: any GrantTable
    var answers: any AnswerTable
    var marks: any MarkTable
    /// Runs `body`, and undoes its writes if it throws or returns false. Does not restore the rules' state in memory.
    var inSavepoint: (_ body: () throws -> Bool) throws -> Void
}

extension WriterTables {
    /// Takes the frequently used tables from the engine. All other tables run plain SQL on `db`.
    package init(
        _ db: any SQLSession, landmarks: any LandmarkTable, changes: any ChangeTable, sources: any SourceTable,
        tracks: any TrackTable, answers: any AnswerTable, marks: any MarkTable,
        inSavepoint: @escaping (_ body: () throws -> Bool) throws -> Void
    ) {
        self.init(
            landmarks: landmarks, changes: changes, sources: sources, fetches: SQLFetchTable(db: db), tracks: tracks,
            accounts: SQLAccountTable(db: db), fences: SQLFenceTable(db: db), hooks: SQLHookTable(db: db),
            grants: SQLGrantTable(db: db), answers: answers, marks: marks, inSavepoint: inSavepoint)
    }
}
