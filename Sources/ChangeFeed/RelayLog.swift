// SPDX-License-Identifier: Apache-2.0

import DequeModule
import FoundationEssentials
public import Landmarks
public import WaymarkProtocol

/// The most recent part of the change log, in a relay's memory: consecutive revisions up to the head. Pure and limited.
///
/// The log answers only if storage would certainly give the same changes. It records the runs of storage that it has
/// followed, each with its last revision. A position with another run may come from a copy of the database that was
/// used elsewhere; only storage can decide this.
public struct RelayLog: Sendable {
    public struct Bounds: Sendable {
        public var changes: Int
        /// The maximum total size of the encoded changes in bytes.
        public var bytes: Int

        public init(changes: Int = 65_536, bytes: Int = 64 * 1024 * 1024) {
            (self.changes, self.bytes) = (changes, bytes)
        }
    }

    /// The maximum number of runs to remember. Beyond it the oldest is forgotten, and storage has to judge its
    /// positions.
    private static let mostRuns = 64

    public let epoch: UUIDv7
    public private(set) var head: UInt64
    /// The runs that were followed, each with its last revision here, oldest first. Never empty.
    private var runs: [(run: UUIDv7, last: UInt64)]
    private var changes: Deque<[UInt8]> = []
    public private(set) var bytes = 0
    private let bounds: Bounds

    /// Makes an empty log that begins after a revision.
    ///
    /// - Parameter run: the run of storage that reported the revision.
    public init(after rev: UInt64, epoch: UUIDv7, run: UUIDv7, bounds: Bounds = Bounds()) {
        (self.epoch, head, runs, self.bounds) = (epoch, rev, [(run, rev)], bounds)
    }

    public var run: UUIDv7 { runs[runs.count - 1].run }
    public var count: Int { changes.count }
    /// The revision before the oldest change in memory; the head if there is no change.
    public var start: UInt64 { head - UInt64(changes.count) }

    /// Adds the change after the head. The head must not be the greatest `UInt64`.
    public mutating func append(_ change: [UInt8]) {
        head += 1
        runs[runs.count - 1].last = head
        changes.append(change)
        bytes += change.count
        while changes.count > bounds.changes || bytes > bounds.bytes, let oldest = changes.popFirst() {
            bytes -= oldest.count
        }
    }

    /// Adds older changes before `start`, until a limit is reached.
    ///
    /// - Parameters:
    ///   - through: the revision of the last of these changes. If it differs from `start`, nothing is added.
    ///   - reader: the run of the storage that read them. Nothing is added unless this run was followed.
    public mutating func prepend(_ older: [[UInt8]], through: UInt64, run reader: UUIDv7?) {
        guard through == start, runs.contains(where: { $0.run == reader }) else { return }
        for change in older.reversed() {
            guard changes.count < bounds.changes, bytes + change.count <= bounds.bytes else { return }
            changes.prepend(change)
            bytes += change.count
        }
    }

    /// Continues in another run of storage, which has found the head in its history.
    ///
    /// - Returns: false, with nothing changed, if the run was followed before and was then replaced by another.
    public mutating func resume(in run: UUIDv7) -> Bool {
        guard run != self.run else { return true }
        guard !runs.contains(where: { $0.run == run }) else { return false }
        runs.append((run, head))
        if runs.count > Self.mostRuns { runs.removeFirst() }
        return true
    }

    /// Whether the position is certainly in this history, and all changes after it are in memory.
    public func covers(_ position: Position) -> Bool {
        guard position.epoch == epoch, position.rev <= head, position.rev >= start else { return false }
        guard let run = position.run else { return true }
        return runs.contains { $0.run == run && position.rev <= $0.last }
    }

    /// Returns the changes after a position: at least one, however large, if there is one.
    ///
    /// - Parameters:
    ///   - since: the position.
    ///   - most: the maximum number of changes.
    ///   - mostBytes: the maximum size of the changes in bytes.
    ///   - mostExamined: the maximum number of changes to examine with a filter, which limits the time of an answer.
    ///   - floor: the oldest revision that storage keeps.
    ///   - operation: returns the operation that a subscriber with the filter sees; nil if the filter does not accept
    ///     the change. The parameter itself is nil if there is no filter.
    /// - Returns: the page that storage would give; nil if this log does not cover the position.
    public func page<Failure: Error>(
        after since: Position, most: Int, mostBytes: Int, mostExamined: Int, floor: UInt64 = 0,
        operation: (([UInt8]) throws(Failure) -> FeedOperation?)?
    ) throws(Failure) -> WireRawChangesPage? {
        guard covers(since) else { return nil }
        var page = WireRawChangesPage()
        (page.through, page.head, page.floor, page.run) = (since.rev, head, floor, run.wire)
        var (bytes, examined) = (0, 0)
        for change in changes[Int(since.rev - start)...] {
            guard page.changes.count < max(1, most), examined < max(1, mostExamined) else { break }
            var told: FeedOperation?
            if let operation {
                examined += 1
                told = try operation(change)
                guard told != nil else {
                    page.through += 1
                    continue
                }
            }
            bytes += change.count
            if bytes > mostBytes, !page.changes.isEmpty { break }
            page.changes.append(Data(change))
            if let told { page.operations.append(UInt32(WireChange.Operation(told).rawValue)) }
            page.through += 1
        }
        return page
    }
}
