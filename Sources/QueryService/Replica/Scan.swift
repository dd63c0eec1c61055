// SPDX-License-Identifier: Apache-2.0

internal import Landmarks

/// A query that is answered by examining all landmarks of a set, such as those of a kind, in steps. Between the steps
/// the event loop does other work, and the replica changes.
///
/// The answer reflects the moment in which the scan ends. Slots that change before that moment (``Replica/touched``)
/// are skipped, removed from the rows already found, and examined in one step at the end. The scan keeps ``Pace/spare``
/// more rows than requested, to replace the removed rows. If more rows than that are removed, the scan starts again.
struct Scan {
    /// The order of the rows.
    enum Order {
        case near(NearQuestion)
        /// By folded name, then id, beginning after the cursor.
        case named(after: (name: [UInt8], id: Landmark.ID)?)
        /// The latest change first, beginning before the cursor.
        case recent(before: UInt64?)
        case prominent(ProminenceQuestion)

        /// The cost of ranking a landmark, relative to filtering it. A step examines that many times fewer landmarks.
        var weight: Int { if case .prominent = self { 8 } else { 1 } }
    }

    /// The amount of work in one step.
    struct Pace: Sendable {
        /// The number of landmarks examined in one step: about half a millisecond.
        var step = 4_096
        /// The number of landmarks that may fail to match before a walk along the order is replaced by a scan: also
        /// about half a millisecond.
        var patience = 8_192
        /// The number of rows that are kept in addition to the requested number.
        var spare = 64
    }

    private static let mostAttempts = 3

    let replica: Replica
    let order: Order
    let filter: RecordFilter
    let limit: Int
    /// The landmarks to examine, as the set was when the scan began. A landmark that is added later counts as changed.
    private let members: SlotSet
    private var found: FoundSlots
    /// The slot where the next step continues; nil after the last slot.
    private var place: UInt32? = 0
    private var forgotten = 0
    private var touched: Set<UInt32> = []
    private var touchedCount = 0
    private var attempts = 1

    /// Begins a scan, which the caller has to end with ``TouchedSlots/end()``.
    ///
    /// - Parameter limit: the number of rows to find.
    init(_ replica: Replica, _ order: Order, _ filter: RecordFilter, limit: Int, of members: SlotSet) {
        (self.replica, self.order, self.filter, self.limit, self.members) = (replica, order, filter, limit, members)
        found = FoundSlots(order, limit: limit + replica.pace.spare)
        touchedCount = replica.touched.begin()
    }

    enum Progress {
        case more
        case done([FoundSlot])
        /// Too many slots have changed during the scan.
        case givenUp
    }

    /// Does one step.
    mutating func proceed() -> Progress {
        guard applyTouched(), touched.count <= TouchedSlots.most else { return .givenUp }
        if let place {
            let weight = filter.weight * order.weight
            var rest = replica.pace.step
            self.place = members.forward(from: place) { slot in
                let isExamined = touched.contains(slot) || found.offer(slot, filter, in: replica)
                rest -= (isExamined ? weight : 1) + (filter.hours?.takeCost() ?? 0) * weight
                return rest > 0
            }
        }
        guard place == nil else { return .more }
        guard forgotten <= replica.pace.spare else { return beginAgain() }
        for slot in touched { found.offer(slot, filter, in: replica) }
        return .done(found.first(limit, in: replica))
    }

    /// - Takes newly changed slots out of the scan. Returns false if some of these slots are no longer recorded.
    private mutating func applyTouched() -> Bool {
        guard let new = replica.touched.after(touchedCount) else { return false }
        guard !new.isEmpty else { return true }
        touchedCount += new.count
        let fresh = Set(new)
        forgotten += found.forget(fresh)
        touched.formUnion(fresh)
        return true
    }

    private mutating func beginAgain() -> Progress {
        attempts += 1
        guard attempts <= Self.mostAttempts else { return .givenUp }
        (found, forgotten, place) = (FoundSlots(order, limit: limit + replica.pace.spare), 0, 0)
        return .more
    }
}
