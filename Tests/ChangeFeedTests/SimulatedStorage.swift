// SPDX-License-Identifier: Apache-2.0

import Landmarks
import TestSupport
import WaymarkProtocol

/// Storage as a receiver sees it: a log, its runs, and the messages on one filtered feed.
///
/// Each change has a number that no other history repeats, so a receiver that mixes two histories is detected.
struct SimulatedStorage {
    struct Entry: Equatable {
        var change: UInt64
        var matches: Bool
    }

    enum Refusal { case compacted, otherHistory, futureRevision }

    private(set) var log: [Entry] = []
    private(set) var floor: UInt64 = 1
    private(set) var epoch = FeedReceiverTests.epoch
    private var runs: [(run: UUIDv7, first: UInt64)] = []
    private var lastRun: UInt64 = 0
    private var lastChange: UInt64 = 0
    private var n: UInt64 = 0
    private let matchOneIn: UInt64
    /// Whether the topic is wider than the filter: then the feed has every change, and the follower filters.
    let isWidened: Bool

    var head: UInt64 { UInt64(log.count) }
    var run: UUIDv7 { runs[runs.count - 1].run }

    /// - Parameter isWidened: nil: as chance will have it.
    init(_ random: inout SplitMix64, isWidened: Bool? = nil) {
        matchOneIn = [1, 1, 3, 9][Int(random.next() % 4)]
        let byChance = random.next() % 3 == 0
        self.isWidened = isWidened ?? byChance
        for _ in 0..<random.next() % 20 { append(&random) }
        start()
    }

    private mutating func append(_ random: inout SplitMix64) {
        lastChange += 1
        log.append(Entry(change: lastChange, matches: random.next() % matchOneIn == 0))
    }

    private func header(_ rev: UInt64) -> FeedHeader {
        FeedHeader(epoch: epoch, run: run, n: n, rev: rev, floor: floor)
    }

    /// Commits a change and returns its message; nil if the feed does not include it.
    mutating func commit(_ random: inout SplitMix64) -> (FeedHeader, Entry?)? {
        append(&random)
        guard let entry = log.last, entry.matches || isWidened else { return nil }
        n += 1
        return (header(head), entry)
    }

    func beacon() -> (FeedHeader, Entry?) { (header(head), nil) }

    /// Begins another run of the same history.
    mutating func start() {
        lastRun += 1
        runs.append((UUIDv7(high: 5, low: lastRun), head + 1))
        n = 0
    }

    /// Replaces the file by an older copy, without a new epoch, and starts storage on it.
    mutating func putBack(_ copy: SimulatedStorage) {
        (log, floor, runs, epoch) = (copy.log, copy.floor, copy.runs, copy.epoch)
        start()
    }

    /// Restores a backup, which begins another epoch.
    mutating func restore(_ copy: SimulatedStorage) {
        putBack(copy)
        epoch = UUIDv7(high: 1, low: epoch.low + 1)
    }

    mutating func compact(below rev: UInt64) { floor = max(floor, min(rev, max(1, head))) }

    /// A page of the log, in the form of storage's answer.
    ///
    /// - Parameter isFiltered: only what matches.
    func changes(
        since position: Position, limit: Int, isFiltered: Bool = true
    ) -> Result<(changes: [(rev: UInt64, payload: Entry)], through: UInt64, run: UUIDv7), RefusalError> {
        if let refusal = refusal(position) { return .failure(RefusalError(refusal: refusal)) }
        var page: [(rev: UInt64, payload: Entry)] = []
        var through = position.rev
        while through < head, through - position.rev < UInt64(limit) {
            let entry = log[Int(through)]
            through += 1
            if entry.matches || !isFiltered { page.append((through, entry)) }
        }
        return .success((page, through, run))
    }

    struct RefusalError: Error { var refusal: Refusal }

    private func refusal(_ position: Position) -> Refusal? {
        guard position.epoch == epoch else { return .otherHistory }
        if let run = position.run {
            guard let place = runs.firstIndex(where: { $0.run == run }) else { return .otherHistory }
            if place + 1 < runs.count, runs[place + 1].first <= position.rev { return .otherHistory }
        }
        if position.rev > head { return .futureRevision }
        return position.rev + 1 < floor ? .compacted : nil
    }

    /// The changes that a receiver which began after `start` and has reached `rev` must have delivered.
    func expected(after start: UInt64, through rev: UInt64, isFiltered: Bool = true) -> [UInt64] {
        guard start < rev, rev <= head else { return [] }
        return log[Int(start)..<Int(rev)].filter { $0.matches || !isFiltered }.map(\.change)
    }
}
