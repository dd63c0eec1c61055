// SPDX-License-Identifier: Apache-2.0

import StorageRules

extension WriterTables {
    /// Makes the tables of PostgreSQL, which use the rows of a batch in memory.
    static func postgreSQL(_ set: WorkingSet) -> WriterTables {
        WriterTables(
            set, landmarks: set, changes: set, sources: set, tracks: set, answers: PostgreSQLAnswerTable(set: set),
            marks: PostgreSQLMarkTable(set: set), inSavepoint: set.inSavepoint)
    }
}
