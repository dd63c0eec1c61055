// SPDX-License-Identifier: Apache-2.0

/// How often the events of a receiver happened.
public struct FeedCounters: Hashable, Sendable {
    /// The number of changes handed on from the live feed.
    public var live: UInt64 = 0
    /// The number of changes handed on from the log.
    public var pulled: UInt64 = 0
    /// The number of pulls. A pull requests a page of the log.
    public var pulls: UInt64 = 0
    /// The number of gaps. A gap is a break in the chain of live messages within one run of the publisher.
    public var gaps: UInt64 = 0
    /// The number of restarts of the publisher.
    public var runs: UInt64 = 0
    /// How many times the buffer of live changes was full and had to be dropped.
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
