// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// The computation of one query's answer from a replica: usually one step, otherwise several.
struct Answering: SlowWork {
    private let replica: Replica
    private let order: Scan.Order
    private let limit: Int
    private let openings: OpeningHoursEvaluator?
    private let isHeld: Bool
    private var outcome: Replica.Outcome

    /// - Parameters:
    ///   - outcome: the result of a search for one row more than `limit`.
    ///   - openings: tells for each row whether the landmark is open; nil if the query does not ask.
    ///   - isHeld: whether the replica certainly holds every landmark that can belong to the answer.
    init(
        _ outcome: Replica.Outcome, of replica: Replica, _ order: Scan.Order, _ limit: Int,
        _ openings: OpeningHoursEvaluator? = nil, isHeld: Bool = true
    ) {
        (self.outcome, self.replica, self.order, self.limit) = (outcome, replica, order, limit)
        (self.openings, self.isHeld) = (openings, isHeld)
    }

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
