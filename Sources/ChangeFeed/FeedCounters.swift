// SPDX-License-Identifier: Apache-2.0

/// What a receiver has been through.
public struct FeedCounters: Hashable, Sendable {
    /// Changes that were handed on as they came.
    public var live: UInt64 = 0
    /// Changes that came from the log.
    public var pulled: UInt64 = 0
    /// Times that the log was asked.
    public var pulls: UInt64 = 0
    /// Times that the chain of live messages broke within a run.
    public var gaps: UInt64 = 0
    /// Times that the publisher was found to have started again.
    public var runs: UInt64 = 0
    /// Times that more live changes waited than are kept.
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
