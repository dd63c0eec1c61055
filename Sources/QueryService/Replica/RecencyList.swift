// SPDX-License-Identifier: Apache-2.0

/// Which landmark each revision last touched, oldest first. An entry is stale once its landmark has a later one.
struct RecencyList {
    typealias Entry = (rev: UInt64, slot: UInt32)
    private var entries: [Entry] = []

    init() {}

    init(_ entries: [Entry]) {
        self.entries = entries.sorted { $0.rev < $1.rev }
    }

    var count: Int { entries.count }

    mutating func append(rev: UInt64, slot: UInt32) {
        // Out of order only while a replica catches up: its snapshot may be newer than where it began.
        guard let last = entries.last, last.rev > rev else {
            entries.append((rev, slot))
            return
        }
        entries.insert((rev, slot), at: index(of: rev))
    }

    mutating func keep(_ isCurrent: (Entry) -> Bool) {
        entries.removeAll { !isCurrent($0) }
    }

    func newestFirst(before rev: UInt64?) -> some Sequence<Entry> {
        guard let rev else { return entries[...].reversed() }
        return entries[..<index(of: rev)].reversed()
    }

    /// The place of the first entry that is not older.
    private func index(of rev: UInt64) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].rev < rev { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
