// SPDX-License-Identifier: Apache-2.0

public import Landmarks
public import WaymarkProtocol

/// Numbers a publisher's changes, and holds the state that every header repeats. Pure.
///
/// A receiver takes consecutive numbers of one run as proof that nothing is missing. So two changes of a run must not
/// have the same number. Storage counts from 0 in each of its runs. A relay's messages carry storage's run, because
/// receivers keep the run with their position and storage checks it. Several publishers may publish in the same run
/// (storage, relays, a relay before and after its restart), and number the changes of a filtered feed differently. So
/// each relay begins to count at a random number: see ``ofOwn()``.
public struct FeedNumbering: Hashable, Sendable {
    public let epoch: UUIDv7
    /// The run of storage that the changes come from.
    public private(set) var run: UUIDv7
    /// The newest published revision. Before the first change, the revision at which the counting began.
    public private(set) var head: UInt64
    /// The oldest revision that the log keeps.
    public private(set) var floor: UInt64
    /// The number of the last change on the feed without a filter. A new feed begins to count here. So a feed that was
    /// removed and is added again never repeats a number that its subscribers may still expect.
    public private(set) var count: UInt64

    /// - Parameter count: the number at which the counting begins.
    public init(epoch: UUIDv7, run: UUIDv7, head: UInt64, floor: UInt64, count: UInt64 = 0) {
        (self.epoch, self.run, self.head, self.floor, self.count) = (epoch, run, head, floor, count)
    }

    /// Returns a random number at which a relay begins to count. Among 2^62 numbers, those of two relays practically
    /// never meet, and there is enough room above: the count never wraps.
    public static func ofOwn() -> UInt64 { .random(in: 1 << 40..<1 << 62) }

    /// Counts a change. Must be called in the order of revisions.
    ///
    /// - Returns: the number of revisions before this change that were not published. It is unknown which feeds they
    ///   belong to. So each feed has to skip that many numbers, and its subscribers notice the gap and read the log.
    public mutating func change(_ rev: UInt64) -> UInt64 {
        let skipped = rev > head ? rev - head - 1 : 0
        head = rev
        count &+= skipped + 1
        return skipped
    }

    public mutating func moved(floor: UInt64) { self.floor = floor }

    /// Continues with storage's next run, after storage was restarted with the same history.
    public mutating func resume(in run: UUIDv7) { self.run = run }

    /// Returns the header of a beacon for a feed whose last change has the number `n`.
    public func beacon(n: UInt64) -> FeedHeader { FeedHeader(epoch: epoch, run: run, n: n, rev: head, floor: floor) }
}
