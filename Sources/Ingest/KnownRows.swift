// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// The keys under which storage may know the rows of a body. A landmark with any other key has vanished from the
/// source.
///
/// The keys of rejected rows are included: a row rejected today has not vanished, so its landmark stays unchanged.
struct KnownRows: Sendable {
    private var keys: Set<String> = []
    /// The names of the rejected rows that have no id.
    private var names: Set<String> = []
    /// Whether a rejected row has neither a key nor a name, so that it may be the row of any landmark.
    private(set) var mayBeAnything = false

    /// Collects the keys outside the caller's actor, because the keys of a million rows take a second.
    @concurrent static func of(_ rows: SourceRows, isDryRun: Bool) async -> KnownRows {
        var known = KnownRows()
        known.keys.reserveCapacity(rows.rows.count)
        for row in rows.rows {
            known.keys.insert(row.key)
            // In a real run storage has already changed the key that the row had, but not in a dry run.
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
