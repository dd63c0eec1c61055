// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import SwiftProtobuf
import WaymarkProtocol
import WaymarkTransport

/// What the query service counts beside its sockets.
struct QueryCounters {
    var forwardsTimedOut: UInt64 = 0
    var reloads: UInt64 = 0
    /// Requests passed on to storage.
    var forwarded: UInt64 = 0
    /// Requests that had to wait for the replica.
    var parked: UInt64 = 0
    /// Times that the feed was whole again after it had been lost or had a gap.
    var resumes: UInt64 = 0
    /// Of the feeds that were followed before the present one.
    var feedBefore = FeedCounters()
    /// By their names.
    var sources: [String: SourceCounters] = [:]
    /// Questions that took more than one go.
    var slow: UInt64 = 0
    /// Of ``near``: in the form that is read by hand.
    private var nearByHand: UInt64 = 0
    private var near: UInt64 = 0
    private var list: UInt64 = 0
    private var search: UInt64 = 0
    private var writes: UInt64 = 0
    private var others: UInt64 = 0

    mutating func countNear() {
        near += 1
        nearByHand += 1
    }

    /// A write that is passed on unread.
    mutating func count(_ kind: RequestKind) {
        switch kind {
        case .beginFetch, .endFetch: others += 1
        default: writes += 1
        }
    }

    mutating func count(_ command: WireRequest.OneOf_Command) {
        switch command {
        case .near: near += 1
        case .list: list += 1
        case .search: search += 1
        case .add, .edit, .remove, .addNote, .editNote, .removeNote, .ingest: writes += 1
        default: others += 1
        }
    }

    var wire: [WireCounter] {
        [
            ("near", near), ("near_by_hand", nearByHand), ("list", list), ("search", search),
            ("writes_forwarded", writes), ("others", others),
            ("forwards_timed_out", forwardsTimedOut), ("replica_loads", reloads),
            ("slow_questions", slow),
        ].map { name, value in
            .with {
                $0.name = name
                $0.value = value
            }
        }
    }
}
