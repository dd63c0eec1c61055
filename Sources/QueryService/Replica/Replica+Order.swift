// SPDX-License-Identifier: Apache-2.0

import Geodesy

/// The orders of lists, and the queries that can be answered in such an order without a scan.
extension Replica {
    /// Orders by folded name, then id.
    func isNamedBefore(_ left: UInt32, _ right: UInt32) -> Bool {
        guard let left = record(at: left), let right = record(at: right) else { return false }
        return left.isBefore(right)
    }

    /// Orders by the revision of the last change. Two landmarks share a revision only in a damaged database.
    func isOlder(_ left: UInt32, _ right: UInt32) -> Bool {
        let (first, second) = (record(at: left)?.rev ?? 0, record(at: right)?.rev ?? 0)
        return first == second ? left < right : first < second
    }

    /// The result of a query that may take long: its rows, or the scan that finds them.
    enum Outcome {
        case rows([FoundSlot])
        case scan(Scan)
    }

    /// The first `limit` landmarks in an order that match the filter.
    func first(_ limit: Int, _ order: Scan.Order, _ filter: RecordFilter) -> Outcome {
        if case .prominent(let question) = order {
            let cap = SurfaceCap(centre: question.coordinate, radius: question.radius)
            let sets = [rarest(filter), around(cap, atMost: pace.step * 32)].compactMap(\.self)
            let members = sets.min { $0.count < $1.count } ?? orders.all
            return .scan(Scan(self, order, filter, limit: limit, of: members))
        }
        let members = rarest(filter)
        // With few members, looking at all of them is quickest, wherever they are in the order.
        if let members, members.count <= pace.step / filter.weight {
            return .scan(Scan(self, order, filter, limit: limit, of: members))
        }
        if let rows = quickly(limit, order, filter) { return .rows(rows) }
        // This case cannot occur: without a filter everything matches, so `quickly` always has a result.
        guard let members else { return .rows([]) }
        return .scan(Scan(self, order, filter, limit: limit, of: members))
    }

    /// The smallest set that the filter names, or all landmarks if it names only a large area; nil without a filter.
    func rarest(_ filter: RecordFilter) -> SlotSet? {
        let named = [
            filter.kinds.isEmpty ? nil : orders.kinds.members(of: filter.kinds),
            filter.user.map { orders.users.members(of: $0) },
            filter.source.map { orders.sources.members(of: $0) }, around(filter.cap, atMost: max(1, pace.step / 8)),
        ].compactMap(\.self).min { $0.count < $1.count }
        return named ?? (filter.area == nil && filter.hours == nil ? nil : orders.all)
    }

    /// The landmarks in a cap, and perhaps some at its edge; nil if there are more than `most`.
    private func around(_ cap: SurfaceCap?, atMost most: Int) -> SlotSet? {
        guard let cap, let slots = index.payloads(in: cap, atMost: most) else { return nil }
        return SlotSet(slots, below: slotCount)
    }

    /// Walks along the order; nil if too many landmarks on the way do not match.
    private func quickly(_ limit: Int, _ order: Scan.Order, _ filter: RecordFilter) -> [FoundSlot]? {
        var misses = 0
        var found: [FoundSlot] = []
        var isTooMuch: Bool { misses > pace.patience / filter.weight || filter.hours?.isExhausted == true }
        func visit(_ slot: UInt32) -> Bool {
            if let record = record(at: slot), matches(filter, record) {
                found.append(FoundSlot(slot: slot))
            } else {
                misses += 1
            }
            return found.count < limit && !isTooMuch
        }
        switch order {
        case .near(let question): return nearest(question, limit, filter)
        case .named(let after):
            let start = after.map { after in
                let key = after.name.withUnsafeBytes { SortedName($0, after.id) }
                return withRecords { records in
                    orders.names.first(after: key) { LandmarkOrders.name($0, records) }
                }
            }
            orders.names.forward(from: start ?? orders.names.start, visit)
        case .recent(let rev):
            let end = rev.map { rev in
                // The last key below all keys of the revision.
                let key = SortedRevision(rev: rev - min(rev, 1), slot: rev == 0 ? 0 : .max)
                return withRecords { records in
                    orders.recency.first(after: key) { LandmarkOrders.revision($0, records) }
                }
            }
            orders.recency.backward(from: end ?? orders.recency.end, visit)
        case .prominent: return nil
        }
        return isTooMuch ? nil : found
    }

    private func nearest(_ question: NearQuestion, _ limit: Int, _ filter: RecordFilter) -> [FoundSlot]? {
        guard !filter.isEmpty else {
            return index.nearest(
                to: question.coordinate, limit: limit, maxDistance: question.radius,
                minDistance: question.minDistance, after: question.after, precision: .micrometre
            ).map { FoundSlot(slot: $0.payload, neighbour: $0) }
        }
        let rows = index.nearest(
            to: question.coordinate, limit: limit, maxDistance: question.radius, minDistance: question.minDistance,
            after: question.after, precision: .micrometre, atMost: pace.patience / filter.weight
        ) { slot in
            // Once reading hours has taken too long, every landmark counts as a match: the rows are dropped anyway, and
            // the walk ends soonest that way.
            filter.hours?.isExhausted == true || record(at: slot).map { matches(filter, $0) } ?? false
        }
        return filter.hours?.isExhausted == true ? nil : rows?.map { FoundSlot(slot: $0.payload, neighbour: $0) }
    }
}
