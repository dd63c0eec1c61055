// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// The computation of one query's answer from a replica: usually one step, otherwise several.
struct Answering: SlowWork {
    let replica: Replica
    let order: Scan.Order
    let limit: Int
    /// Tells for each row whether the landmark is open; nil if the query does not ask.
    let openings: OpeningHoursEvaluator?
    /// Whether the replica certainly holds every landmark that can belong to the answer.
    let isHeld: Bool
    /// The result of a search for one row more than `limit`.
    private(set) var outcome: Replica.Outcome

    /// Works on the answer for about half a millisecond at most.
    ///
    /// - Returns: the answer, valid until the replica changes; nil if more steps are needed.
    /// - Throws: an error that says why the query cannot be answered now.
    mutating func proceed() throws(ServiceError) -> SlowAnswer? {
        switch outcome {
        case .rows(let found): return try page(of: found)
        case .scan(var scan):
            // `outcome` gives up the scan before it changes, so that changing it makes no copy.
            outcome = .rows([])
            switch scan.proceed() {
            case .more:
                outcome = .scan(scan)
                return nil
            case .done(let found):
                replica.touched.end()
                return try page(of: found)
            case .givenUp:
                replica.touched.end()
                throw ServiceError(
                    .busy, "The landmarks change too fast at the moment for this query: try again.", retryAfter: 500)
            }
        }
    }

    private func page(of found: [FoundSlot]) throws(ServiceError) -> SlowAnswer {
        if !isHeld { try replica.held.certify(found, limit, order) }
        return .hits(replica.page(found, limit, order, openings))
    }

    /// Ends the computation, because the answer is no longer wanted.
    mutating func abandon() {
        guard case .scan = outcome else { return }
        outcome = .rows([])
        replica.touched.end()
    }
}
