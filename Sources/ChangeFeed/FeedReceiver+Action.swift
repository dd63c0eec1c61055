// SPDX-License-Identifier: Apache-2.0

public import Landmarks

extension FeedReceiver {
    /// What a receiver wants done, in this order.
    public enum Action {
        /// Hand this on: it is the next change.
        case deliver(rev: UInt64, Payload)
        /// Everything through this revision has been handed on.
        case reached(rev: UInt64)
        /// Ask the log for what follows this position; answer with ``page(changes:through:run:)`` or
        /// ``pullFailed()``. Never asked for twice at a time.
        case pull(since: Position)
        /// The history is another one: positions mean nothing any more. Nothing follows.
        case epochChanged(to: UUIDv7)
        /// Nothing was heard for too long: the publisher is away, or the way to it is cut.
        case lost
        /// Live messages after this revision are missing: the log has been asked.
        case gap(rev: UInt64)
        /// After ``lost`` or ``gap(rev:)``: all that was missed has been handed on, `replayed` of it from the log.
        case resumed(rev: UInt64, replayed: UInt64)
    }
}
