// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// The counters of the query service, except those of its sockets.
struct QueryCounters {
    /// The part of `near` that was decoded by hand.
    private(set) var nearByHand: UInt64 = 0
    private(set) var near: UInt64 = 0
    private(set) var list: UInt64 = 0
    private(set) var tile: UInt64 = 0
    private(set) var search: UInt64 = 0
    private(set) var writes: UInt64 = 0
    private(set) var others: UInt64 = 0

    mutating func countNear() {
        near += 1
        nearByHand += 1
    }

    mutating func count(_ kind: RequestKind) {
        switch kind {
        case .near: near += 1
        case .list: list += 1
        case .tile: tile += 1
        case .search: search += 1
        case _ where kind.changesLandmarks: writes += 1
        default: others += 1
        }
    }
}
