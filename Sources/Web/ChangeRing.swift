// SPDX-License-Identifier: Apache-2.0

internal import DequeModule
internal import Landmarks

/// The latest changes without gaps, shared by all readers. A pure data structure without clock, input and output.
///
/// Revisions increase by one, so the index of a change follows from its revision.
struct ChangeRing {
    private let bytes: Int
    private let count: Int
    private var entries: Deque<RingEntry> = []
    private var weight = 0
    /// The position before the first entry; nil until the feed has begun.
    private(set) var start: Position?
    /// The number of times that the ring has begun. Within one generation all changes belong to one history.
    private(set) var generation: UInt64 = 0

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
        generation += 1
    }

    /// Adds a change. If it does not directly follow the newest entry, all earlier entries are dropped.
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

    /// The change with a revision; nil if the ring does not have it.
    subscript(rev: UInt64) -> RingEntry? {
        guard let start, rev > start.rev, rev - start.rev <= UInt64(entries.count) else { return nil }
        return entries[Int(rev - start.rev) - 1]
    }

    /// Returns at most `most` entries after a position. Nil if the ring does not reach back to the position, or does
    /// not know its run: then only storage can tell whether that run belongs to the same history.
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

/// A change in the ring: its encoded text, and the fields with which filters compare.
struct RingEntry: Sendable {
    let rev: UInt64
    let run: UUIDv7?
    let at: UInt64
    let name: String
    let before: FilterSubject?
    let after: FilterSubject
    private let operation: Change.Operation
    private let text: ChangeText

    init(_ told: FeedChange) {
        (rev, run, at, operation) = (told.change.rev, told.position.run, told.change.at, told.change.operation)
        name = told.change.landmark.name
        (before, after) = (told.change.before.map(FilterSubject.init), FilterSubject(told.change.landmark))
        text = ChangeText(told)
    }

    /// The approximate memory that the entry takes, in bytes.
    var weight: Int { 600 + text.byteCount }

    /// Returns the operation that a reader with this filter sees; nil if the change is not for the reader.
    func operation(matching filter: FeedFilter) -> FeedOperation? {
        filter.operation(of: operation, before: before, after: after)
    }

    /// Returns the change as a reader sees it.
    func told(as seen: FeedOperation, epoch: UUIDv7) -> FollowedChanges.Told {
        FollowedChanges.Told(
            position: Position(epoch: epoch, rev: rev, run: run), at: at, landmark: after.id, operation: seen,
            json: text.json(as: seen))
    }

    /// Appends the event that a reader with this filter gets for the change.
    ///
    /// - Returns: false if the reader gets no event.
    func write(to buffer: inout [UInt8], matching filter: FeedFilter) -> Bool {
        guard let seen = operation(matching: filter) else { return false }
        text.write(seen, to: &buffer)
        return true
    }
}
