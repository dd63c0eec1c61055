// SPDX-License-Identifier: Apache-2.0

import Geodesy
internal import Landmarks
import WaymarkProtocol

/// All landmarks in memory, as of one position in storage's history, with a spatial index of them.
///
/// A replica has one owner, on whose thread it is changed and queried. Changes are applied in order. A change that the
/// replica already contains has no effect: a snapshot's pages may be newer than the position where it began.
final class Replica {
    private(set) var position: Position
    /// Changed here by `apply` only; ``ReplicaSync`` rebuilds it.
    var index: SpatialIndex
    private(set) var records: ReplicaRecords
    let store: LandmarkStore
    private var freeSlots: [UInt32] = []
    private(set) var orders = LandmarkOrders()
    /// The amount of work in one step of a scan. Only tests change it.
    var pace = Scan.Pace()
    /// The slots that have changed during scans in progress.
    var touched = TouchedSlots()
    /// The time zones and the parsed opening hours of landmarks.
    var hoursCache = OpeningHoursCache(PlaceZones())
    /// Whether any landmark has opening hours, or had some earlier.
    private(set) var hasHours = false
    /// The region that the replica holds; nil if it holds all landmarks.
    var region: Region?
    var held: HeldRegion { HeldRegion(region: region) }
    /// The landmarks in the order of map tiles; nil until a tile is first requested.
    var tiles: ReplicaTiles?

    /// Records that the replica is complete through a revision.
    ///
    /// - Parameter run: the run of the storage that reported the revision; nil if unknown.
    func reached(_ rev: UInt64, _ run: UUIDv7? = nil) {
        position.rev = max(position.rev, rev)
        if let run { position.run = run }
    }

    var count: Int { index.count }

    /// - Parameters:
    ///   - tree: the spatial tree of the snapshot's points.
    ///   - orders: the orders of the same snapshot.
    ///   - store: an empty store, to which the landmarks are written.
    init(_ loaded: ReplicaSnapshot, _ tree: SpatialTree, _ orders: LandmarkOrders, _ store: LandmarkStore) {
        position = loaded.position
        index = SpatialIndex(tree)
        (self.orders, self.store) = (orders, store)
        // The records are filled in a local variable, because each access to a class's property is checked.
        let records = ReplicaRecords(count: loaded.count)
        loaded.withLandmarks { landmarks in
            // The landmarks are written in the order of the tree, so that landmarks near each other on earth are near
            // each other in memory.
            for position in 0..<tree.count {
                if position + 16 < tree.count {
                    landmarks.prefetch(tree.payload(at: position + 16))
                    landmarks.prefetchBytes(tree.payload(at: position + 8))
                }
                let slot = tree.payload(at: position)
                records[slot] = ReplicaRecord(slot, landmarks, at: loaded.points.places[Int(slot)], in: store)
            }
        }
        self.records = records
        hasHours = loaded.hasHours
    }

    deinit { records.free() }

    subscript(id: Landmark.ID) -> ReplicaRecord? { index[PointKey(id)].flatMap { records[$0.payload] } }

    func coordinate(of id: Landmark.ID) -> Coordinate? { index[PointKey(id)]?.coordinate }

    func record(at slot: UInt32) -> ReplicaRecord? { records[slot] }

    /// The number of slots, including the free ones.
    var slotCount: Int { records.count }

    /// - Parameters:
    ///   - run: the run of the storage that published the change.
    ///   - isLeaving: whether the change moves the landmark out of the region.
    /// - Throws: an error if this version cannot represent the change. The replica must then be loaded again.
    func apply(
        _ change: EncodedChange, of run: UUIDv7? = nil, isLeaving: Bool = false
    ) throws(InvalidInput) {
        let (operation, subjects) = try change.known()
        try change.withLandmark { (bytes) throws(InvalidInput) in
            let landmark = try LandmarkFields(bytes, subjects.after)
            apply(landmark, bytes, change.rev, isRemoved: isLeaving || operation == .removed)
        }
        store.tidy(records)
        // The revision counts as reached only now: a query that waits for it must not be answered without the change.
        reached(change.rev, run)
    }

    private func apply(
        _ landmark: LandmarkFields, _ bytes: UnsafeRawBufferPointer, _ rev: UInt64, isRemoved: Bool
    ) {
        let coordinate = landmark.subject.coordinate
        let key = PointKey(landmark.subject.id)
        let entry = index[key]
        let existing = entry?.payload
        let known = existing.flatMap { records[$0] }
        let before = entry.flatMap { entry in known.map { (coordinate: entry.coordinate, record: $0) } }
        if let known, known.rev >= rev { return }
        if isRemoved {
            guard let existing, let known else { return }
            touched.add(existing)
            tiles?.change(existing, from: before, to: nil, rev: rev)
            orders.remove(existing, known, for: nil)
            index.remove(key)
            records[existing] = nil
            store.release(known.stored)
            freeSlots.append(existing)
            return
        }
        let slot = existing ?? freeSlots.popLast() ?? appendSlot()
        let place = SpatialPlace(coordinate)
        let new = ReplicaRecord(landmark, bytes, orders.numbers(of: landmark), at: place, slot: slot, in: store)
        touched.add(slot)
        tiles?.change(slot, from: before, to: (coordinate, new), rev: rev)
        if let known { orders.remove(slot, known, for: new) }
        records[slot] = new
        if !landmark.view.openingHours.isEmpty { hasHours = true }
        orders.insert(slot, new, for: known, in: records)
        if let known { store.release(known.stored) }
        index.insert(key, at: place, payload: slot)
    }

    private func appendSlot() -> UInt32 {
        records.append()
        return UInt32(records.count - 1)
    }

    // MARK: Questions

    func matches(_ filter: RecordFilter, _ record: ReplicaRecord) -> Bool {
        guard filter.matchesValues(of: record) else { return false }
        if filter.area != nil {
            // The cap is tested first, because this needs no look-up of the coordinate.
            if let cap = filter.cap, !cap.mayContain(record.point) { return false }
            guard coordinate(of: record.id).map(filter.covers) ?? false else { return false }
        }
        return filter.hours?.isOpen(record.bytes) ?? true
    }
}

extension PointKey {
    init(_ id: Landmark.ID) { self.init(high: id.high, low: id.low) }
}

extension Landmark.ID {
    init(_ key: PointKey) { self.init(high: key.high, low: key.low) }
}
