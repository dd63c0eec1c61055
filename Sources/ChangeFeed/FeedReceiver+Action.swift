// SPDX-License-Identifier: Apache-2.0

public import Landmarks

extension FeedReceiver {
    /// An action for the owner of the receiver; several are carried out in order.
    public enum Action {
        /// Hand on this change, which is the next one.
        case deliver(rev: UInt64, Payload)
        /// Everything through this revision has been handed on.
        case reached(rev: UInt64)
        /// Ask the log for the changes after this position, and answer with ``page(changes:through:run:)`` or
        /// ``pullFailed()``. At most one pull is under way at a time.
        case pull(since: Position)
        /// The storage has another history, so this position is meaningless in it. This action is the last one.
        case epochChanged(to: UUIDv7)
        /// Nothing was received for too long: the publisher is down, or the connection to it is cut.
        case lost
        /// Live messages after this revision are missing. The receiver pulls them from the log.
        case gap(rev: UInt64)
        /// Everything missed since ``lost`` or ``gap(rev:)`` has been handed on, `replayed` of the changes from the
        /// log.
        case resumed(rev: UInt64, replayed: UInt64)
    }
}
