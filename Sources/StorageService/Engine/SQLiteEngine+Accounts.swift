// SPDX-License-Identifier: Apache-2.0

import SQLite

extension SQLiteEngine {
    func accountNews() throws(EngineError) -> AccountNews {
        do {
            return try writer.writeWithoutTransaction { db in try SQLiteAccountTable.news(db, since: 0, limit: nil) }
        } catch {
            throw EngineError(error)
        }
    }

    var hasOwnerTask: Bool {
        (try? writer.writeWithoutTransaction { db in try SQLiteOwnerTaskTable(db).first() != nil }) ?? false
    }
}
