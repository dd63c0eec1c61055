// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// Limits the requests that are in progress, and ends them all at a stop.
struct Admission {
    /// Room beyond the limit of reads for what is vital: searches must not keep a query service from starting or from
    /// repairing its feed, nor make storage look as if it were away.
    private static let reservedReads = 64
    /// The most health requests that wait for the disk at once.
    private static let healthLimit = 64

    /// The most reads in progress, apart from the reserved ones.
    let reads: Int
    private var readsInProgress = 0
    private var healthInProgress = 0

    init(reads: Int) { self.reads = reads }

    var isIdle: Bool { readsInProgress + healthInProgress == 0 }

    /// - Returns: whether the read may start. Each one that may must be ended.
    mutating func beginRead(_ kind: RequestKind) -> Bool {
        guard readsInProgress < reads + (kind.row.cost == .vital ? Self.reservedReads : 0) else { return false }
        readsInProgress += 1
        return true
    }

    mutating func endRead() { readsInProgress -= 1 }

    /// - Returns: whether the request may wait for the disk. Each one that may must be ended.
    mutating func beginHealth() -> Bool {
        guard healthInProgress < Self.healthLimit else { return false }
        healthInProgress += 1
        return true
    }

    mutating func endHealth() { healthInProgress -= 1 }
}
