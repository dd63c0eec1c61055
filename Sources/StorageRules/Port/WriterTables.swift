// SPDX-License-Identifier: Apache-2.0

/// What the rules need of a database: a few operations on each table, inside the writer's open transaction.
///
/// Whoever keeps these tables has an engine. The rules (who may do what, versions, the merging of an ingest, turns of
/// sources, answers to repeated requests) are written once above them.
package struct WriterTables {
    var landmarks: any LandmarkTable
    var changes: any ChangeTable
    var sources: any SourceTable
    var fetches: any FetchTable
    var tracks: any TrackTable
    var accounts: any AccountTable
    var invitations: any InvitationTable
    var owners: any OwnerTaskTable
    var answers: any AnswerTable
    var marks: any MarkTable
    /// Does something, and undoes what it wrote if it throws or returns false. The rules' own state is theirs to restore.
    var inSavepoint: (_ body: () throws -> Bool) throws -> Void
}

extension WriterTables {
    /// The tables of a database whose hot ones are its engine's own.
    package init(
        _ db: any SQLSession, landmarks: any LandmarkTable, changes: any ChangeTable, sources: any SourceTable,
        tracks: any TrackTable, answers: any AnswerTable, marks: any MarkTable,
        inSavepoint: @escaping (_ body: () throws -> Bool) throws -> Void
    ) {
        self.init(
            landmarks: landmarks, changes: changes, sources: sources, fetches: SQLFetchTable(db: db), tracks: tracks,
            accounts: SQLAccountTable(db: db), invitations: SQLInvitationTable(db: db),
            owners: SQLOwnerTaskTable(db: db), answers: answers, marks: marks, inSavepoint: inSavepoint)
    }
}
