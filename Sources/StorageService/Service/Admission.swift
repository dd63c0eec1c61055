// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// Limits the requests in progress.
struct Admission {
    /// Reads of cost class vital that may run beyond the limit: searches must not keep a query service from starting or
    /// from repairing its feed, nor make storage seem unreachable.
    private static let reservedReads = 64
    /// The most health requests that wait for the disk at once.
    private static let healthLimit = 64

    /// The most reads in progress, without the reserved ones.
    let reads: Int
    private var readsInProgress = 0
    private var healthInProgress = 0

    init(reads: Int) { self.reads = reads }

    var isIdle: Bool { readsInProgress + healthInProgress == 0 }

    /// - Returns: whether the read may start; if so, `endRead()` must follow.
    mutating func beginRead(_ kind: RequestKind) -> Bool {
        guard readsInProgress < reads + (kind.row.cost == .vital ? Self.reservedReads : 0) else { return false }
        readsInProgress += 1
        return true
    }

    mutating func endRead() { readsInProgress -= 1 }

    /// - Returns: whether the request may wait for the disk; if so, `endHealth()` must follow.
    mutating func beginHealth() -> Bool {
        guard healthInProgress < Self.healthLimit else { return false }
        healthInProgress += 1
        return true
    }

    mutating func endHealth() { healthInProgress -= 1 }
}
