// SPDX-License-Identifier: Apache-2.0

import SQLite
import StorageRules

extension WriterTables {
    /// Makes the tables of SQLite for the only connection that writes.
    static func sqlite(_ db: Database) throws -> WriterTables {
        WriterTables(
            db, landmarks: try SQLiteLandmarkTable(db), changes: try SQLiteChangeTable(db),
            sources: try SQLiteSourceTable(db), tracks: SQLiteTrackTable(db: db), answers: try SQLiteAnswerTable(db),
            marks: SQLiteMarkTable(db: db), inSavepoint: db.inSavepoint)
    }
}
