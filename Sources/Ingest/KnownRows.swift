// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// Under which keys the rows of a body may be known: what is under none of them has vanished from its source.
///
/// A row that is rejected today has not vanished: its landmark stays as it was.
struct KnownRows: Sendable {
    private var keys: Set<String> = []
    /// Of rejected rows without an id.
    private var names: Set<String> = []
    /// A row was rejected of which nothing can be told: whatever is missing, it may be that one.
    private(set) var mayBeAnything = false

    /// Away from whoever asks: the keys of a million rows take a second.
    @concurrent static func of(_ rows: SourceRows, isDryRun: Bool) async -> KnownRows {
        var known = KnownRows()
        known.keys.reserveCapacity(rows.rows.count)
        for row in rows.rows {
            known.keys.insert(row.key)
            // Otherwise storage has given the row its new key by now.
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
