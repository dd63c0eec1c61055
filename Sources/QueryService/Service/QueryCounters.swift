// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// The counters of the query service, except those of its sockets.
struct QueryCounters {
    /// The part of `near` that was decoded by hand.
    var nearByHand: UInt64 = 0
    private var counts = [UInt64](repeating: 0, count: RequestKind.count)

    mutating func count(_ kind: RequestKind) { counts[Int(kind.rawValue)] += 1 }

    /// How many requests of these kinds came.
    func sum(_ isMeant: (RequestKind) -> Bool) -> UInt64 {
        RequestKind.allCases.filter(isMeant).reduce(0) { $0 + counts[Int($1.rawValue)] }
    }
}
