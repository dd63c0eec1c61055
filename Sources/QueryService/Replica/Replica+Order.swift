// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks

/// The orders in which landmarks are listed, and the answers that they give without looking at all.
extension Replica {
    /// By folded name, then id.
    func isNamedBefore(_ left: UInt32, _ right: UInt32) -> Bool {
        guard let left = record(at: left), let right = record(at: right) else { return false }
        return left.isBefore(right)
    }

    /// By the revision that last touched it. Each touches one, but for what a broken database has.
    func isOlder(_ left: UInt32, _ right: UInt32) -> Bool {
        let (first, second) = (record(at: left)?.rev ?? 0, record(at: right)?.rev ?? 0)
        return first == second ? left < right : first < second
    }

    /// What a question that may take long is answered with: the rows, or what has to be done for them.
    enum Outcome {
        case rows([FoundSlot])
        case scan(Scan)
    }

    /// The first `limit` in an order that match.
    func first(_ limit: Int, _ order: Scan.Order, _ filter: RecordFilter) -> Outcome {
        let members = rarest(filter)
        // So few that to look at them is the shortest way, wherever they are in the order.
        if let members, members.count <= pace.step {
            return .scan(Scan(self, order, filter, limit: limit, of: members))
        }
        if let rows = quickly(limit, order, filter) { return .rows(rows) }
        // Without a filter everything matches, so that the quick way always ends.
        guard let members else { return .rows([]) }
        return .scan(Scan(self, order, filter, limit: limit, of: members))
    }

    /// The landmarks of that which is asked for and has the fewest; nil without a filter.
    private func rarest(_ filter: RecordFilter) -> OrderedSlots? {
        [
            filter.kind.map { kinds.members(of: $0) }, filter.user.map { users.members(of: $0) },
            filter.source.map { sources.members(of: $0) },
        ].compactMap(\.self).min { $0.count < $1.count }
    }

    /// Nil when too many do not match.
    private func quickly(_ limit: Int, _ order: Scan.Order, _ filter: RecordFilter) -> [FoundSlot]? {
        var misses = 0
        var found: [FoundSlot] = []
        func take(_ slot: UInt32) -> Bool {
            if let record = record(at: slot), filter.matches(record) {
                found.append(FoundSlot(slot: slot))
            } else {
                misses += 1
            }
            return found.count < limit && misses <= pace.patience
        }
        switch order {
        case .near(let question): return nearest(question, limit, filter)
        case .named(let after):
            let start = after.map { after in names.first { record(at: $0)?.isAfter(after.name, after.id) ?? true } }
            names.forward(from: start ?? names.start, take)
        case .recent(let rev):
            let end = rev.map { rev in recency.first { (record(at: $0)?.rev ?? .max) >= rev } }
            recency.backward(from: end ?? recency.end, take)
        }
        return misses > pace.patience ? nil : found
    }

    private func nearest(_ question: NearQuestion, _ limit: Int, _ filter: RecordFilter) -> [FoundSlot]? {
        guard !filter.isEmpty else {
            return index.nearest(
                to: question.coordinate, limit: limit, maxDistance: question.radius,
                minDistance: question.minDistance, after: question.after, precision: .micrometre
            ).map { FoundSlot(slot: $0.payload, neighbour: $0) }
        }
        return index.nearest(
            to: question.coordinate, limit: limit, maxDistance: question.radius, minDistance: question.minDistance,
            after: question.after, precision: .micrometre, atMost: pace.patience
        ) { slot in record(at: slot).map(filter.matches) ?? false }?
        .map { FoundSlot(slot: $0.payload, neighbour: $0) }
    }
}
