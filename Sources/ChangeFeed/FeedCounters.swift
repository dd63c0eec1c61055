// SPDX-License-Identifier: Apache-2.0

/// Counts of a receiver's events.
public struct FeedCounters: Hashable, Sendable {
    /// Changes handed on from the live feed.
    public var live: UInt64 = 0
    /// Changes handed on from the log.
    public var pulled: UInt64 = 0
    /// Pulls: requests to the log for a page.
    public var pulls: UInt64 = 0
    /// Gaps: breaks in the chain of live messages within one run of the publisher.
    public var gaps: UInt64 = 0
    /// Restarts of the publisher.
    public var runs: UInt64 = 0
    /// The number of times that the buffer of live changes was full and had to be dropped.
    public var overflows: UInt64 = 0

    public init() {}

    public static func += (left: inout FeedCounters, right: FeedCounters) {
        left.live += right.live
        left.pulled += right.pulled
        left.pulls += right.pulls
        left.gaps += right.gaps
        left.runs += right.runs
        left.overflows += right.overflows
    }
}
