// SPDX-License-Identifier: Apache-2.0

internal import Landmarks

/// The slots of all landmarks in the orders of lists, and the slots of each kind, user and source.
///
/// To change a landmark, the caller first calls `remove` while the record has the old values, then writes the new
/// record, and then calls `insert`.
struct LandmarkOrders {
    /// Sorted by folded name, then id.
    private(set) var names = OrderedSlots<SortedName>()
    /// Sorted by the revision of each landmark's last change.
    private(set) var recency = OrderedSlots<SortedRevision>()
    private(set) var all = SlotSet()
    private(set) var kinds = Categories()
    private(set) var users = Categories()
    private(set) var sources = Categories()

    init() {}

    /// The numbers of a landmark's kind, user and source.
    typealias Numbers = (kind: UInt32, user: UInt32, source: UInt32)

    /// Returns the numbers of the landmark's kind, user and source. A new text gets a new number.
    mutating func numbers(of landmark: LandmarkFields) -> Numbers {
        let subject = landmark.subject
        return (kinds.number(of: subject.kind), users.number(of: subject.user), sources.number(of: subject.source))
    }

    /// Makes the orders of a snapshot. This needs neither the spatial tree nor the records, so orders and tree are
    /// built at the same time on two processors.
    init(of snapshot: ReplicaSnapshot) {
        self = snapshot.orders
        snapshot.withLandmarks { fill($0, count: UInt32(snapshot.count)) }
    }

    private mutating func fill(_ landmarks: SnapshotLandmarks, count: UInt32) {
        var named: [NameSorting.Entry] = []
        var revisions: [SortedRevision] = []
        named.reserveCapacity(Int(count))
        revisions.reserveCapacity(Int(count))
        // The slots of a snapshot are in the order of ids, so landmarks with equal names are almost sorted already.
        for slot in 0..<count {
            let landmark = landmarks[slot]
            revisions.append(SortedRevision(rev: landmark.rev, slot: slot))
            named.append((SortedName.word(of: landmarks.foldedName(slot), at: 0), slot))
            all.insert(slot)
            kinds.insert(slot, into: landmark.numbers.kind)
            users.insert(slot, into: landmark.numbers.user)
            sources.insert(slot, into: landmark.numbers.source)
        }
        revisions.sort()
        recency = OrderedSlots(sorted: revisions.map(\.slot)) {
            SortedRevision(rev: landmarks[$0].rev, slot: $0)
        }
        NameSorting.sort(&named, of: landmarks)
        names = OrderedSlots(sorted: named.map { $0.slot }) { landmarks.sortedName($0) }
    }

    /// Removes a landmark from each order and set in which its new state has another place.
    ///
    /// - Parameter new: the new state; nil if the landmark is removed.
    mutating func remove(_ slot: UInt32, _ known: ReplicaRecord, for new: ReplicaRecord?) {
        recency.remove(slot, SortedRevision(rev: known.rev, slot: slot))
        if new.map({ !known.hasName(of: $0) }) ?? true { names.remove(slot, known.sortedName) }
        if new == nil { all.remove(slot) }
        let (old, numbers) = (known.numbers, new?.numbers)
        if numbers?.kind != old.kind { kinds.remove(slot, from: old.kind) }
        if numbers?.user != old.user { users.remove(slot, from: old.user) }
        if numbers?.source != old.source { sources.remove(slot, from: old.source) }
    }

    /// Inserts a landmark into each order and set in which its old state had another place.
    ///
    /// - Parameter known: the old state; nil if the landmark is new.
    mutating func insert(_ slot: UInt32, _ new: ReplicaRecord, for known: ReplicaRecord?, in records: ReplicaRecords) {
        let revision = SortedRevision(rev: new.rev, slot: slot)
        recency.insert(slot, revision, { Self.revision($0, records) < revision }, { Self.revision($0, records) })
        if known.map({ !new.hasName(of: $0) }) ?? true {
            names.insert(
                slot, new.sortedName, { records[$0]?.isBefore(new) ?? true }, { Self.name($0, records) })
        }
        if known == nil { all.insert(slot) }
        let (old, numbers) = (known?.numbers, new.numbers)
        if old?.kind != numbers.kind { kinds.insert(slot, into: numbers.kind) }
        if old?.user != numbers.user { users.insert(slot, into: numbers.user) }
        if old?.source != numbers.source { sources.insert(slot, into: numbers.source) }
    }

    /// Returns the filter with numbers in place of texts; nil if nothing can match, because no landmark has ever had
    /// that kind, user or source.
    func resolve(_ filter: LandmarkFilter) -> RecordFilter? {
        var resolved = RecordFilter(area: filter.area)
        resolved.kinds = filter.kinds.compactMap(kinds.existing)
        resolved.user = filter.user.flatMap(users.existing)
        resolved.source = filter.source.flatMap(sources.existing)
        guard resolved.kinds.isEmpty == filter.kinds.isEmpty, (resolved.user == nil) == (filter.user == nil),
            (resolved.source == nil) == (filter.source == nil)
        else { return nil }
        return resolved
    }

    // A slot in the orders always has a landmark. If a slot had none, its key would be the lowest.

    static func revision(_ slot: UInt32, _ records: ReplicaRecords) -> SortedRevision {
        SortedRevision(rev: records[slot]?.rev ?? 0, slot: slot)
    }

    static func name(_ slot: UInt32, _ records: ReplicaRecords) -> SortedName {
        records[slot]?.sortedName
            ?? SortedName(UnsafeRawBufferPointer(start: nil, count: 0), .init(high: 0, low: 0))
    }
}
