// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// A question that is being answered from a replica: mostly at once, else in several goes.
struct Answering {
    private let replica: Replica
    private let order: Scan.Order
    private let limit: Int
    private var outcome: Replica.Outcome

    /// - Parameter outcome: of one row more than `limit`.
    init(_ outcome: Replica.Outcome, of replica: Replica, _ order: Scan.Order, _ limit: Int) {
        (self.outcome, self.replica, self.order, self.limit) = (outcome, replica, order, limit)
    }

    /// Goes on for at most half a millisecond, about.
    ///
    /// - Returns: the answer, good until the replica changes; nil: it has to go on.
    /// - Throws: it cannot be answered now.
    mutating func proceed() throws(ServiceError) -> HitsReply? {
        switch outcome {
        case .rows(let found): return replica.page(found, limit, order)
        case .scan(var scan):
            // Or it would be copied.
            outcome = .rows([])
            switch scan.proceed() {
            case .more:
                outcome = .scan(scan)
                return nil
            case .done(let found):
                replica.endScan()
                return replica.page(found, limit, order)
            case .givenUp:
                replica.endScan()
                throw ServiceError(
                    .busy, "Too much changes at the moment to look for that: ask again.", retryAfter: 500)
            }
        }
    }

    /// It is not going to be answered any more.
    mutating func abandon() {
        guard case .scan = outcome else { return }
        outcome = .rows([])
        replica.endScan()
    }
}
