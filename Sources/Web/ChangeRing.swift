// SPDX-License-Identifier: Apache-2.0

internal import DequeModule
internal import Landmarks

/// The latest changes, without a hole, for all readers together. A pure structure: no clock, no input or output.
///
/// Revisions count up without gaps, so a change's place follows from its revision.
struct ChangeRing {
    private let bytes: Int
    private let count: Int
    private var entries: Deque<RingEntry> = []
    private var weight = 0
    /// The position before the first entry; nil until the feed has begun.
    private(set) var start: Position?

    init(bytes: Int, count: Int) {
        (self.bytes, self.count) = (bytes, count)
    }

    /// The position of the newest entry.
    var head: Position? {
        guard let start else { return nil }
        return Position(epoch: start.epoch, rev: start.rev + UInt64(entries.count), run: entries.last?.run ?? start.run)
    }

    mutating func begin(at position: Position) {
        entries.removeAll()
        (weight, start) = (0, position)
    }

    /// Adds the next change. A change that is not the next one makes the ring begin with it.
    mutating func append(_ entry: RingEntry, epoch: UUIDv7) {
        if head?.rev != entry.rev - 1 || start?.epoch != epoch {
            begin(at: Position(epoch: epoch, rev: entry.rev - 1, run: entry.run))
        }
        entries.append(entry)
        weight += entry.weight
        while entries.count > count || weight > bytes, let oldest = entries.popFirst() {
            weight -= oldest.weight
            start?.rev = oldest.rev
            start?.run = oldest.run
        }
    }

    /// The entries after a position, at most `most`. Nil if the ring does not hold that position or does not know its
    /// run: storage has to say whether the run belongs to the same history.
    func entries(after position: Position, most: Int) -> [RingEntry]? {
        guard let start, position.epoch == start.epoch, position.rev >= start.rev,
            position.rev - start.rev <= UInt64(entries.count)
        else { return nil }
        let first = Int(position.rev - start.rev)
        let runThere = first == 0 ? start.run : entries[first - 1].run
        guard position.run == nil || position.run == runThere || position.run == head?.run else { return nil }
        return Array(entries[first..<min(entries.count, first + most)])
    }
}

/// A change in the ring: its encoded text, and the fields that filters compare.
struct RingEntry: Sendable {
    let rev: UInt64
    let run: UUIDv7?
    private let operation: Change.Operation
    private let before: FilterSubject?
    private let after: FilterSubject
    private let text: ChangeText

    init(_ told: FeedChange) {
        (rev, run, operation) = (told.change.rev, told.position.run, told.change.operation)
        (before, after) = (told.change.before.map(FilterSubject.init), FilterSubject(told.change.landmark))
        text = ChangeText(told)
    }

    /// The entry's approximate memory in bytes.
    var weight: Int { 600 + text.byteCount }

    /// Adds the event that a reader with this filter gets, if any.
    ///
    /// - Returns: whether the reader gets one.
    func write(to buffer: inout [UInt8], matching filter: FeedFilter) -> Bool {
        guard let seen = filter.operation(of: operation, before: before, after: after) else { return false }
        text.write(seen, to: &buffer)
        return true
    }
}
