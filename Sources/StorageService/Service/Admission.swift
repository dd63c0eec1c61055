// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// Limits how many requests are in progress.
struct Admission {
    /// How many reads of the cost class `vital` may run beyond the limit. Without them, searches could keep a query
    /// service from starting or from repairing its feed, or make storage seem unreachable.
    private static let reservedReads = 64
    /// The maximum number of health requests that wait for the disk at the same time.
    private static let healthLimit = 64

    /// The maximum number of reads in progress, not counting `reservedReads`.
    let reads: Int
    private var readsInProgress = 0
    private var healthInProgress = 0

    init(reads: Int) { self.reads = reads }

    var isIdle: Bool { readsInProgress + healthInProgress == 0 }

    /// Counts a read as in progress, and returns whether it may start. If so, `endRead()` must follow.
    mutating func beginRead(_ kind: RequestKind) -> Bool {
        guard readsInProgress < reads + (kind.row.cost == .vital ? Self.reservedReads : 0) else { return false }
        readsInProgress += 1
        return true
    }

    mutating func endRead() { readsInProgress -= 1 }

    /// Counts a health request, and returns whether it may wait for the disk. If so, `endHealth()` must follow.
    mutating func beginHealth() -> Bool {
        guard healthInProgress < Self.healthLimit else { return false }
        healthInProgress += 1
        return true
    }

    mutating func endHealth() { healthInProgress -= 1 }
}
