// SPDX-License-Identifier: Apache-2.0

import Geodesy

/// One row of an answer, with its distance if the query names a place.
struct FoundSlot {
    var slot: UInt32
    var neighbour: Neighbour?
}

/// The first rows of an answer in its order, among the slots examined so far.
struct FoundSlots {
    private enum Kept {
        case near(NearestFew)
        case listed([UInt32], last: UInt32?)
        case prominent(MostProminent)
        case nothing
    }

    private let order: Scan.Order
    private let limit: Int
    /// The circle of a query by prominence, outside which no slot need be examined; nil in other orders.
    private var cap: SurfaceCap?
    private var leastScore = -Double.infinity
    private var kept: Kept

    init(_ order: Scan.Order, limit: Int) {
        (self.order, self.limit) = (order, limit)
        switch order {
        case .near(let question):
            let nearest = NearestFew(
                to: question.coordinate, limit: limit, maxDistance: question.radius, minDistance: question.minDistance,
                after: question.after)
            kept = nearest.map { .near($0) } ?? .nothing
        case .named, .recent: kept = .listed([], last: nil)
        case .prominent(let question):
            kept = .prominent(MostProminent(question, limit: limit))
            cap = SurfaceCap(centre: question.coordinate, radius: question.radius)
        }
    }

    /// Examines a landmark and keeps it if it can belong to the answer. Returns false if the landmark's place or score
    /// excluded it before the filter was applied, which costs next to nothing.
    @discardableResult
    mutating func offer(_ slot: UInt32, _ filter: RecordFilter, in replica: Replica) -> Bool {
        guard let record = replica.record(at: slot) else { return false }
        if let cap {
            guard Double(record.scoreBound) >= leastScore, cap.mayContain(record.point) else { return false }
        }
        if replica.matches(filter, record) { keep(slot, record, in: replica) }
        return true
    }

    private mutating func keep(_ slot: UInt32, _ record: ReplicaRecord, in replica: Replica) {
        switch kept {
        case .near(var nearest):
            kept = .nothing
            nearest.offer(PointKey(record.id), record.point, payload: slot) { replica.coordinate(of: record.id) }
            kept = .near(nearest)
        case .prominent(var most):
            kept = .nothing
            most.offer(slot, record)
            leastScore = most.leastScore
            kept = .prominent(most)
        case .listed(var slots, let last):
            guard isAllowed(record), last.map({ isBefore(slot, $0, in: replica) }) ?? true else { return }
            kept = .nothing
            slots.append(slot)
            // Rows are sorted only when there are twice as many as needed, so that sorting costs little for each row.
            guard slots.count >= 2 * limit else { return kept = .listed(slots, last: last) }
            slots.sort { isBefore($0, $1, in: replica) }
            slots.removeLast(slots.count - limit)
            kept = .listed(slots, last: slots.last)
        case .nothing: break
        }
    }

    mutating func forget(_ touched: Set<UInt32>) -> Int {
        switch kept {
        case .near(var nearest):
            kept = .nothing
            defer { kept = .near(nearest) }
            return nearest.forget(touched)
        case .prominent(var most):
            kept = .nothing
            defer { kept = .prominent(most) }
            return most.forget(touched)
        case .listed(var slots, let last):
            let before = slots.count
            slots.removeAll { touched.contains($0) }
            kept = .listed(slots, last: last.flatMap { touched.contains($0) ? nil : $0 })
            return before - slots.count
        case .nothing: return 0
        }
    }

    func first(_ limit: Int, in replica: Replica) -> [FoundSlot] {
        switch kept {
        case .near(let nearest): nearest.rows.prefix(limit).map { FoundSlot(slot: $0.payload, neighbour: $0) }
        case .listed(let slots, _):
            slots.sorted { isBefore($0, $1, in: replica) }.prefix(limit).map { FoundSlot(slot: $0) }
        case .prominent(let most): most.rows.prefix(limit).map { $0 }
        case .nothing: []
        }
    }

    private func isAllowed(_ record: ReplicaRecord) -> Bool {
        switch order {
        case .named(let after?): record.isAfter(after.name, after.id)
        case .recent(let rev?): record.rev < rev
        default: true
        }
    }

    private func isBefore(_ left: UInt32, _ right: UInt32, in replica: Replica) -> Bool {
        if case .recent = order { return replica.isOlder(right, left) }
        return replica.isNamedBefore(left, right)
    }
}
