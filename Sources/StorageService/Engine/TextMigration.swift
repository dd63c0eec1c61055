// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SQLite

/// Normalises the keys of an earlier release's sources, because keys are compared by their bytes.
///
/// Landmarks are left as they are: another form of the same text is no change, and their texts are compared in either
/// form.
enum TextMigration {
    static func run(_ db: Database) throws {
        let rows = try Row.fetchCursor(db, sql: "SELECT source, key FROM source_rows")
        var others: [SourceKey] = []
        while let row = try rows.next() {
            let (source, key) = (try row.text(0), try row.text(1))
            if !source.isNormal || !key.isNormal { others.append(SourceKey(name: source, key: key)) }
        }
        for other in others {
            // Where both forms are there already, as rows of their own, a person has to say which landmark goes.
            try db.execute(
                sql: "UPDATE OR IGNORE source_rows SET source = ?, key = ? WHERE source = ? AND key = ?",
                arguments: [other.name.normal, other.key.normal, other.name, other.key])
        }
        let names = try Row.fetchCursor(db, sql: "SELECT source FROM fetches")
        var sources: [String] = []
        while let row = try names.next() { sources.append(try row.text(0)) }
        for source in sources where !source.isNormal {
            try db.execute(
                sql: "UPDATE OR REPLACE fetches SET source = ? WHERE source = ?", arguments: [source.normal, source])
        }
    }
}
