// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks

/// A question that is answered by looking at all landmarks of a kind, a user or a source, some at a time: in between the
/// loop does other things, and the replica changes.
///
/// The answer is that of the moment in which it ends. What changed meanwhile (``Replica/touched``) is left out, also of
/// what had been found, and looked at last, all at once. So that nothing is missing for what was left out, ``Pace/spare`` more
/// are kept than are asked for; if even more of them changed, it begins again.
struct Scan {
    /// Which come first.
    enum Order {
        case near(NearQuestion)
        /// By folded name, then id; after a cursor.
        case named(after: (name: [UInt8], id: Landmark.ID)?)
        /// The last changed first; before a cursor.
        case recent(before: UInt64?)
    }

    /// How much is done in one go.
    struct Pace: Sendable {
        /// Members that are looked at: half a millisecond, about.
        var step = 4_096
        /// Landmarks that do not match and are looked at before a question goes another way; as long, about.
        var patience = 8_192
        /// Rows that are kept beyond those that are asked for.
        var spare = 64
    }

    /// Changes that one may take account of.
    private static let mostTouched = 65_536
    private static let mostAttempts = 3

    let replica: Replica
    let order: Order
    let filter: RecordFilter
    let limit: Int
    /// As they were when it began: a landmark that came later is one that was touched.
    private let members: OrderedSlots
    private var found: FoundSlots
    private var place: OrderedSlots.Place?
    private var forgotten = 0
    private var touched: Set<UInt32> = []
    private var touchedCount = 0
    private var attempts = 1

    /// To be ended with ``Replica/endScan()``.
    ///
    /// - Parameter limit: how many are wanted.
    init(_ replica: Replica, _ order: Order, _ filter: RecordFilter, limit: Int, of members: OrderedSlots) {
        (self.replica, self.order, self.filter, self.limit, self.members) = (replica, order, filter, limit, members)
        found = FoundSlots(order, limit: limit + replica.pace.spare)
        place = members.start
        touchedCount = replica.beginScan()
    }

    enum Progress {
        case more
        case done([FoundSlot])
        /// Too much changes meanwhile.
        case givenUp
    }

    /// Looks at some more.
    mutating func proceed() -> Progress {
        takeTouched()
        guard touched.count <= Self.mostTouched else { return .givenUp }
        if let place {
            var rest = replica.pace.step
            self.place = members.forward(from: place) { slot in
                if !touched.contains(slot) { found.offer(slot, filter, in: replica) }
                rest -= 1
                return rest > 0
            }
        }
        guard place == nil else { return .more }
        guard forgotten <= replica.pace.spare else { return beginAgain() }
        for slot in touched { found.offer(slot, filter, in: replica) }
        return .done(found.first(limit, in: replica))
    }

    private mutating func takeTouched() {
        let new = replica.touched(from: touchedCount)
        guard !new.isEmpty else { return }
        touchedCount += new.count
        let fresh = Set(new)
        forgotten += found.forget(fresh)
        touched.formUnion(fresh)
    }

    private mutating func beginAgain() -> Progress {
        attempts += 1
        guard attempts <= Self.mostAttempts else { return .givenUp }
        (found, forgotten, place) = (FoundSlots(order, limit: limit + replica.pace.spare), 0, members.start)
        return .more
    }
}
