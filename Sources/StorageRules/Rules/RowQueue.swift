// SPDX-License-Identifier: Apache-2.0

/// The keys of stored rows, oldest first. The ids of the rows have no gaps.
struct RowQueue<Key> {
    /// A point in time: the rows from `id` up to the next mark were added at `at`, or less than ``grain`` later.
    private struct Mark {
        var id: UInt64
        var at: Duration
    }

    /// The precision of ages, sufficient to measure an hour.
    private static var grain: Duration { .seconds(1) }
    /// The ids that a database may hold. They stay far from an overflow.
    private static var ids: ClosedRange<UInt64> { 1...(1 << 62) }

    /// The id of the oldest row.
    private(set) var start: UInt64 = 1
    private var keys: [Key] = []
    /// The number of deleted keys at the start of `keys`. They are removed from the array many at a time, to save time.
    private var dropped = 0
    private var marks: [Mark] = []

    var count: Int { keys.count - dropped }
    var isEmpty: Bool { count == 0 }
    /// The id that the next row gets.
    var end: UInt64 { start + UInt64(count) }

    /// Adds the next of the rows that a table holds.
    ///
    /// - Parameter rows: what the rows are, for the error.
    /// - Throws: ``EngineError/corrupted(_:)`` if a row before this one is missing.
    mutating func restore(_ key: Key, id: UInt64, of rows: String, at now: Duration) throws(EngineError) {
        guard Self.ids.contains(id), isEmpty || id == end else {
            throw .corrupted("row \(id) of the \(rows) does not follow the row before it")
        }
        if isEmpty { start = id }
        append(key, at: now)
    }

    mutating func append(_ key: Key, at now: Duration) {
        if marks.last.map({ now - $0.at >= Self.grain }) ?? true { marks.append(Mark(id: end, at: now)) }
        keys.append(key)
    }

    mutating func removeLast() -> Key? {
        guard !isEmpty else { return nil }
        let key = keys.removeLast()
        if let mark = marks.last, mark.id >= end { marks.removeLast() }
        return key
    }

    /// Returns the end of the rows that are beyond a limit, but of at most four times `step` rows.
    ///
    /// - Parameters:
    ///   - most: the maximum number of rows. Fewer than `step` more are no surplus yet.
    ///   - time: when rows were added that are too old.
    func surplus(over most: Int, step: Int, olderThan time: Duration) -> UInt64 {
        let more = count - most
        let end = max(more >= step ? start + UInt64(more) : start, firstYounger(than: time))
        return min(end, start + UInt64(4 * step))
    }

    /// Returns the id of the first row that may have been added after `time`.
    private func firstYounger(than time: Duration) -> UInt64 {
        // Only few marks are so old, because marks are deleted together with their rows.
        let older = marks.prefix { $0.at + Self.grain <= time }.count
        guard older > 0 else { return start }
        return older < marks.count ? marks[older].id : end
    }

    /// Returns the keys of the rows before `id`.
    func keys(before id: UInt64) -> ArraySlice<Key> {
        keys[dropped...].prefix(Int(clamping: id - min(id, start)))
    }

    mutating func dropFirst(upTo id: UInt64, _ body: (Key, UInt64) -> Void) {
        while start < id, !isEmpty {
            body(keys[dropped], start)
            dropped += 1
            start += 1
        }
        if dropped > 65_536, dropped > keys.count / 2 {
            keys.removeFirst(dropped)
            dropped = 0
        }
        // The last mark before the start is kept, because it tells when the first rows were added.
        if let first = marks.lastIndex(where: { $0.id <= start }), first > 0 { marks.removeFirst(first) }
    }
}
