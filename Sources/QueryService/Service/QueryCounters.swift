// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// The counters of the query service, except those of its sockets.
struct QueryCounters {
    /// The number of `near` requests that the hand-written decoder has read.
    var nearByHand: UInt64 = 0
    private var counts = [UInt64](repeating: 0, count: RequestKind.count)

    mutating func count(_ kind: RequestKind) { counts[Int(kind.rawValue)] += 1 }

    /// Returns the number of requests of the kinds that fulfil the condition.
    func sum(_ isMeant: (RequestKind) -> Bool) -> UInt64 {
        RequestKind.allCases.filter(isMeant).reduce(0) { $0 + counts[Int($1.rawValue)] }
    }
}
