// SPDX-License-Identifier: Apache-2.0

internal import IPAddresses
internal import Landmarks

/// The readers of changes, and the ring that they read. A pure data structure without clock, input and output.
///
/// Readers with the same filter share an interest. Each change is compared once with each interest that may contain it,
/// which then knows the revision, and its waiting readers become due. So a reader is woken only for its own changes,
/// and does not look through those of others.
struct ChangeReaders {
    /// Resumed with true if there may be changes to read, and with false for the reader's turn to send a beacon.
    typealias Waiter = CheckedContinuation<Bool, Never>

    struct Page: Sendable {
        /// Changes that may match.
        var entries: [RingEntry]
        /// The position after all of them, and after changes that do not match.
        var through: Position
        var isLast: Bool
    }

    private final class Interest: IndexedFilter {
        private static let mostRevs = 64

        let filter: FeedFilter
        var place = 0
        var readers = 0
        var waiting: [Int: Waiter] = [:]
        /// The revisions of all matching changes after `since`. Not used by the interest in all changes.
        var revs: [UInt64] = []
        var since: UInt64

        init(_ filter: FeedFilter, since: UInt64) {
            (self.filter, self.since) = (filter, since)
        }

        func add(_ rev: UInt64) {
            guard !filter.isEmpty else { return }
            revs.append(rev)
            guard revs.count > Self.mostRevs else { return }
            since = revs[Self.mostRevs / 2]
            revs.removeFirst(Self.mostRevs / 2 + 1)
        }
    }

    private struct Reader {
        let interest: Interest
        let network: IPAddress?
        /// The ring's generation in which the ring knew the reader's position.
        var generation: UInt64?
        /// Whether the reader's turn came while it did not wait.
        var missedTurn = false
    }

    /// The number of groups of readers. Each group has its own time for beacons.
    static let turns = 50

    private var ring: ChangeRing
    private var readers: [Int: Reader] = [:]
    private var lastReader = 0
    private var counts: [IPAddress: Int] = [:]
    private var groups = [Set<Int>](repeating: [], count: turns)
    private var interests: [FeedFilter: Interest] = [:]
    private var index = FilterIndex<Interest>()
    private var due: [Waiter] = []

    init(ring: ChangeRing) { self.ring = ring }

    var count: Int { readers.count }
    var head: Position? { ring.head }
    var hasDue: Bool { !due.isEmpty }
    /// Whether there are no readers, and nothing is left of readers that have gone.
    var isEmpty: Bool {
        readers.isEmpty && counts.isEmpty && interests.isEmpty && index.isEmpty && groups.allSatisfy(\.isEmpty)
    }

    func count(from network: IPAddress) -> Int { counts[network] ?? 0 }

    mutating func enter(from network: IPAddress?, matching filter: FeedFilter) -> Int {
        lastReader += 1
        let interest = interests[filter] ?? Interest(filter, since: ring.head?.rev ?? 0)
        if interest.readers == 0 {
            interests[filter] = interest
            index.insert(interest)
        }
        interest.readers += 1
        readers[lastReader] = Reader(interest: interest, network: network)
        groups[lastReader % Self.turns].insert(lastReader)
        if let network { counts[network, default: 0] += 1 }
        return lastReader
    }

    /// Removes a reader, which must not wait.
    mutating func leave(_ number: Int) {
        guard let reader = readers.removeValue(forKey: number) else { return }
        groups[number % Self.turns].remove(number)
        if let network = reader.network {
            let left = count(from: network) - 1
            counts[network] = left > 0 ? left : nil
        }
        reader.interest.readers -= 1
        guard reader.interest.readers == 0 else { return }
        interests[reader.interest.filter] = nil
        index.remove(reader.interest)
    }

    /// Drops all changes, because those that follow may belong to another history.
    mutating func begin(at position: Position) {
        ring.begin(at: position)
        restart()
    }

    mutating func append(_ entry: RingEntry, epoch: UUIDv7) {
        let generation = ring.generation
        ring.append(entry, epoch: epoch)
        if ring.generation != generation { restart() }
        var woken: [Waiter] = []
        index.candidates(before: entry.before, after: entry.after) { interest in
            guard entry.operation(matching: interest.filter) != nil else { return }
            interest.add(entry.rev)
            woken += interest.waiting.values
            interest.waiting.removeAll(keepingCapacity: true)
        }
        due += woken
    }

    private mutating func restart() {
        for interest in interests.values { (interest.since, interest.revs) = (ring.start?.rev ?? 0, []) }
        wakeAll()
    }

    mutating func wakeAll() {
        for interest in interests.values {
            due += interest.waiting.values
            interest.waiting.removeAll()
        }
    }

    /// Returns and forgets the waiters for which there may be something to read.
    mutating func takeDue() -> [Waiter] {
        defer { due = [] }
        return due
    }

    /// Returns and forgets the waiters whose turn it is to send a beacon. Readers that do not wait have their turn when
    /// they do.
    mutating func takeTurn(_ turn: Int) -> [Waiter] {
        groups[turn].compactMap { number in
            let waiter = takeWaiter(of: number)
            if waiter == nil { readers[number]?.missedTurn = true }
            return waiter
        }
    }

    /// Returns and forgets the waiter of a reader; nil if it does not wait.
    mutating func takeWaiter(of number: Int) -> Waiter? {
        readers[number]?.interest.waiting.removeValue(forKey: number)
    }

    /// Keeps the waiter until there is something to read, or until the reader's turn.
    ///
    /// - Returns: nil if the waiter is kept; otherwise the value for which it need not wait.
    mutating func wait(_ waiter: Waiter, _ number: Int, after position: Position) -> Bool? {
        guard let reader = readers[number] else { return true }
        if reader.missedTurn {
            readers[number]?.missedTurn = false
            return false
        }
        if let head = ring.head {
            guard head.epoch == position.epoch else { return true }
            let newest = knows(number, position) ? reader.interest.revs.last ?? 0 : head.rev
            guard newest <= position.rev else { return true }
        }
        reader.interest.waiting[number] = waiter
        return nil
    }

    /// Returns changes after a position; nil if the log has to be read.
    mutating func page(_ number: Int, after position: Position, most: Int) -> Page? {
        guard let interest = readers[number]?.interest, let head = ring.head else { return nil }
        if knows(number, position) {
            let revs = interest.revs.drop { $0 <= position.rev }
            let entries = revs.compactMap { ring[$0] }
            if entries.count == revs.count { return Page(entries: entries, through: head, isLast: true) }
        }
        guard let entries = ring.entries(after: position, most: most) else {
            readers[number]?.generation = nil
            return nil
        }
        readers[number]?.generation = ring.generation
        var through = position
        if let last = entries.last { (through.rev, through.run) = (last.rev, last.run) }
        return Page(entries: entries, through: through, isLast: through.rev == head.rev)
    }

    /// Whether the reader's interest knows all matching changes after this position of the reader.
    private func knows(_ number: Int, _ position: Position) -> Bool {
        guard let reader = readers[number], reader.generation == ring.generation else { return false }
        return !reader.interest.filter.isEmpty && position.rev >= reader.interest.since
    }
}
