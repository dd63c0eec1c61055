// SPDX-License-Identifier: Apache-2.0

public import Landmarks

extension FeedReceiver {
    /// An action for the receiver's owner. Several actions must be carried out in order.
    public enum Action {
        /// Hand on this change, which is the next change.
        case deliver(rev: UInt64, Payload)
        /// Everything through this revision has been handed on.
        case reached(rev: UInt64)
        /// Request from the log the changes after this position, and report the result with
        /// ``page(changes:through:run:)`` or ``pullFailed()``. At most one pull is in progress at a time.
        case pull(since: Position)
        /// The storage has another history, in which this position means nothing. This action is the last.
        case epochChanged(to: UUIDv7)
        /// Nothing has arrived for too long, because the publisher is down or the connection is broken.
        case lost
        /// Live messages after this revision are missing. The receiver pulls them from the log.
        case gap(rev: UInt64)
        /// Everything missed since ``lost`` or ``gap(rev:)`` has been handed on. `replayed` of these changes came from
        /// the log.
        case resumed(rev: UInt64, replayed: UInt64)
    }
}
