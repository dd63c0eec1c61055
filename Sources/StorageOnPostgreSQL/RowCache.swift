// SPDX-License-Identifier: Apache-2.0

/// The rows of one table that a batch has read or changed. The changed rows are written together.
struct RowCache<Key: Hashable, Value> {
    private struct Entry {
        /// Whether the table has a row with this key.
        var isStored: Bool
        /// The row as the batch has left it; nil if there is no row with this key.
        var value: Value?
        var isChanged = false
    }

    struct Changes {
        var inserted: [(key: Key, value: Value)] = []
        var updated: [(key: Key, value: Value)] = []
        var deleted: [Key] = []
    }

    private var entries: [Key: Entry] = [:]
    /// The keys of changed rows, in the order of their first change.
    private var changed: [Key] = []

    /// Returns the row. The inner optional is nil if the table has no such row, the outer if the row has not been read.
    func known(_ key: Key) -> Value?? { entries[key].map(\.value) }

    /// Enters a row that was read from the table, unless the row has been read or changed already.
    mutating func read(_ key: Key, _ value: Value?) {
        guard entries[key] == nil else { return }
        entries[key] = Entry(isStored: value != nil, value: value)
    }

    mutating func insert(_ key: Key, _ value: Value) { change(key, isStored: false) { $0 = value } }
    mutating func update(_ key: Key, _ value: Value) { change(key, isStored: true) { $0 = value } }
    mutating func delete(_ key: Key) { change(key, isStored: true) { $0 = nil } }

    /// - Parameter isStored: whether the table has the row. Used only if the row was not read before.
    private mutating func change(_ key: Key, isStored: Bool, _ body: (inout Value?) -> Void) {
        var entry = entries[key] ?? Entry(isStored: isStored, value: nil)
        body(&entry.value)
        if !entry.isChanged { changed.append(key) }
        entry.isChanged = true
        entries[key] = entry
    }

    var changes: Changes {
        var changes = Changes()
        for key in changed {
            guard let entry = entries[key] else { continue }
            switch (entry.isStored, entry.value) {
            case (false, let value?): changes.inserted.append((key, value))
            case (true, let value?): changes.updated.append((key, value))
            case (true, nil): changes.deleted.append(key)
            case (false, nil): break
            }
        }
        return changes
    }

    /// Records that all changes have been written to the table.
    mutating func written() {
        for key in changed {
            let value = entries[key]?.value
            entries[key] = Entry(isStored: value != nil, value: value)
        }
        changed.removeAll(keepingCapacity: true)
    }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        changed.removeAll(keepingCapacity: true)
    }
}
