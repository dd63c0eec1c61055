// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// The counters of the query service, except those of its sockets.
struct QueryCounters {
    /// Requests of kind `near` that the hand-written decoder has read.
    var nearByHand: UInt64 = 0
    private var counts = [UInt64](repeating: 0, count: RequestKind.count)

    mutating func count(_ kind: RequestKind) { counts[Int(kind.rawValue)] += 1 }

    /// The number of requests of these kinds.
    func sum(_ isMeant: (RequestKind) -> Bool) -> UInt64 {
        RequestKind.allCases.filter(isMeant).reduce(0) { $0 + counts[Int($1.rawValue)] }
    }
}
