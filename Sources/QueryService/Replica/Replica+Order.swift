// SPDX-License-Identifier: Apache-2.0

import Geodesy

/// The orders of answers, and queries that can be answered by walking along an order instead of scanning.
extension Replica {
    /// Whether the left landmark comes first by folded name, then by id.
    func isNamedBefore(_ left: UInt32, _ right: UInt32) -> Bool {
        guard let left = record(at: left), let right = record(at: right) else { return false }
        return left.isBefore(right)
    }

    /// Whether the left landmark was changed first. Only in a damaged database can the revisions be equal.
    func isOlder(_ left: UInt32, _ right: UInt32) -> Bool {
        LandmarkOrders.revision(left, records) < LandmarkOrders.revision(right, records)
    }

    /// The result of a search: its rows, or the scan that will find them.
    enum Outcome {
        case rows([FoundSlot])
        case scan(Scan)
    }

    /// Finds the first `limit` landmarks, in an order, that match the filter.
    func first(_ limit: Int, _ order: Scan.Order, _ filter: RecordFilter) -> Outcome {
        if case .prominent(let question) = order {
            let cap = SurfaceCap(centre: question.coordinate, radius: question.radius)
            let sets = [rarest(filter), around(cap, atMost: pace.step * 32)].compactMap(\.self)
            let members = sets.min { $0.count < $1.count } ?? orders.all
            return .scan(Scan(self, order, filter, limit: limit, of: members))
        }
        let members = rarest(filter)
        // If few landmarks can match, examining all of them is fastest, wherever they are in the order.
        if let members, members.count <= pace.step / filter.weight {
            return .scan(Scan(self, order, filter, limit: limit, of: members))
        }
        if let rows = quickly(limit, order, filter) { return .rows(rows) }
        // This cannot happen: without a filter every landmark matches, so `quickly` always has a result.
        guard let members else { return .rows([]) }
        return .scan(Scan(self, order, filter, limit: limit, of: members))
    }

    /// Returns the smallest set that contains all matches: of the filter's kinds, user, source or small area, else all
    /// landmarks; nil without a filter.
    func rarest(_ filter: RecordFilter) -> SlotSet? {
        let named = [
            filter.kinds.isEmpty ? nil : orders.kinds.members(of: filter.kinds),
            filter.user.map { orders.users.members(of: $0) },
            filter.source.map { orders.sources.members(of: $0) }, around(filter.cap, atMost: max(1, pace.step / 8)),
        ].compactMap(\.self).min { $0.count < $1.count }
        return named ?? (filter.area == nil && filter.hours == nil ? nil : orders.all)
    }

    /// Returns the landmarks in a cap, and perhaps some just outside its edge; nil if there are more than `most`.
    private func around(_ cap: SurfaceCap?, atMost most: Int) -> SlotSet? {
        guard let cap, let slots = index.payloads(in: cap, atMost: most) else { return nil }
        return SlotSet(slots, below: slotCount)
    }

    /// Walks along the order; returns nil if too many landmarks on the way do not match.
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
                return orders.names.first(after: key) { LandmarkOrders.name($0, records) }
            }
            orders.names.forward(from: start ?? orders.names.start, visit)
        case .recent(let rev):
            let end = rev.map { rev in
                // The highest key that is lower than all keys with this revision.
                let key = SortedRevision(rev: rev - min(rev, 1), slot: rev == 0 ? 0 : .max)
                return orders.recency.first(after: key) { LandmarkOrders.revision($0, records) }
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
            // Once reading opening hours has cost too much, every landmark counts as a match. This ends the walk
            // soonest, and its rows are dropped anyway.
            filter.hours?.isExhausted == true || record(at: slot).map { matches(filter, $0) } ?? false
        }
        return filter.hours?.isExhausted == true ? nil : rows?.map { FoundSlot(slot: $0.payload, neighbour: $0) }
    }
}
