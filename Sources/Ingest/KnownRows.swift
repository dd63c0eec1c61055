// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// The keys under which storage may know the rows of a body. A landmark with any other key has vanished from the
/// source.
///
/// Rejected rows are included: a row that is rejected today has not vanished, so its landmark stays unchanged.
struct KnownRows: Sendable {
    private var keys: Set<String> = []
    /// The names of rejected rows that have no id.
    private var names: Set<String> = []
    /// Whether a rejected row has neither key nor name, so that any missing landmark may be that row.
    private(set) var mayBeAnything = false

    /// Collects the keys away from the caller's actor, because the keys of a million rows take a second.
    @concurrent static func of(_ rows: SourceRows, isDryRun: Bool) async -> KnownRows {
        var known = KnownRows()
        known.keys.reserveCapacity(rows.rows.count)
        for row in rows.rows {
            known.keys.insert(row.key)
            // In a real run storage has changed the row's key already.
            if isDryRun, let other = NameKey.other(than: row.key, of: row.draft) { known.keys.insert(other) }
        }
        for row in rows.rejected {
            if let key = row.key { known.keys.insert(key) }
            if let name = row.name { known.names.insert(name) }
            if row.key == nil, row.name == nil { known.mayBeAnything = true }
        }
        return known
    }

    func may(be key: String) -> Bool {
        keys.contains(key) || !names.isEmpty && NameKey.isKey(key, of: names)
    }
}
