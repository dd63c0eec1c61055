// SPDX-License-Identifier: Apache-2.0

extension WriterTables {
    /// The tables of PostgreSQL, over what a batch has in memory.
    static func postgreSQL(_ set: WorkingSet) -> WriterTables {
        WriterTables(
            landmarks: PostgreSQLLandmarkTable(set: set), changes: PostgreSQLChangeTable(set: set),
            sources: PostgreSQLSourceTable(set: set), fetches: PostgreSQLFetchTable(set: set),
            tracks: PostgreSQLTrackTable(set: set), accounts: PostgreSQLAccountTable(set: set),
            invitations: PostgreSQLInvitationTable(set: set), audit: PostgreSQLAuditTable(set: set),
            owners: PostgreSQLOwnerTaskTable(set: set), answers: PostgreSQLAnswerTable(set: set),
            marks: PostgreSQLMarkTable(set: set), inSavepoint: set.inSavepoint)
    }
}
