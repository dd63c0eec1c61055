// SPDX-License-Identifier: Apache-2.0

import DequeModule
import Geodesy
import Landmarks
import SwiftProtobuf
import WaymarkProtocol
import WaymarkTransport

/// All landmarks in memory, as they are at one position of the history, with the index that finds the nearest.
///
/// It has one owner, on whose thread it is changed and queried. Changes are applied in order. A change that the
/// replica already contains has no effect: a snapshot may be newer than the position where it began.
final class Replica {
    private(set) var position: Position
    private(set) var index: SpatialIndex
    private var slots: [ReplicaRecord?] = []
    private let store = LandmarkStore()
    private var freeSlots: [UInt32] = []
    /// Sorted by folded name, then id.
    private(set) var names = OrderedSlots()
    /// Sorted by the revision that last changed each.
    private(set) var recency = OrderedSlots()
    private(set) var kinds = Categories()
    private(set) var users = Categories()
    private(set) var sources = Categories()
    /// Only tests change it.
    var pace = Scan.Pace()
    /// The slots that changed while scans were under way.
    private var touched: [UInt32] = []
    private var scans = 0

    /// Records the revision through which the replica is complete.
    ///
    /// - Parameter run: the run of the storage that reported it; nil if unknown.
    func reached(_ rev: UInt64, _ run: UUIDv7? = nil) {
        position.rev = max(position.rev, rev)
        if let run { position.run = run }
    }

    var count: Int { index.count }

    /// The memory of the encoded landmarks in bytes.
    var landmarkBytes: Int { store.byteCount }

    /// - Throws: an error if a landmark cannot be read.
    init(_ loaded: ReplicaSnapshot) throws(InvalidInput) {
        position = loaded.position
        index = SpatialIndex(loaded.tree)
        slots = Array(repeating: nil, count: loaded.count)
        try loaded.forEach { (place, bytes) throws(InvalidInput) in
            slots[Int(place)] = record(try LandmarkFields(bytes), bytes, slot: place)
        }
        fillOrders()
    }

    private func fillOrders() {
        kinds.fill(slots.lazy.map { $0?.kind })
        users.fill(slots.lazy.map { $0?.user })
        sources.fill(slots.lazy.map { $0?.source })
        // Sorts numbers kept beside the slots, and compares records only for equal numbers: records lie all over the
        // memory.
        recency = sorted(by: { $0.rev }, then: <)
        names = sorted(by: { $0.nameBeginning }, then: isNamedBefore)
    }

    private func sorted(
        by number: (ReplicaRecord) -> UInt64, then isBefore: (UInt32, UInt32) -> Bool
    ) -> OrderedSlots {
        var numbered: [(number: UInt64, slot: UInt32)] = []
        numbered.reserveCapacity(slots.count)
        for (slot, record) in slots.enumerated() {
            if let record { numbered.append((number(record), UInt32(slot))) }
        }
        numbered.sort { (left: (number: UInt64, slot: UInt32), right: (number: UInt64, slot: UInt32)) -> Bool in
            if left.number != right.number { return left.number < right.number }
            return isBefore(left.slot, right.slot)
        }
        return OrderedSlots(sorted: numbered.map { $0.slot })
    }

    /// Builds the replica away from the caller's thread: for a million landmarks that takes seconds.
    @concurrent
    static func made(of snapshot: ReplicaSnapshot) async throws(InvalidInput) -> sending Replica {
        var snapshot = snapshot
        snapshot.finish()
        return try Replica(snapshot)
    }

    subscript(id: Landmark.ID) -> ReplicaRecord? {
        index[PointKey(id)].flatMap { slots[Int($0.payload)] }
    }

    func coordinate(of id: Landmark.ID) -> Coordinate? { index[PointKey(id)]?.coordinate }

    func record(at slot: UInt32) -> ReplicaRecord? { slots[Int(slot)] }

    /// - Parameter run: the run of the storage that published the change.
    /// - Throws: an error if this version cannot represent the change. The replica must then be loaded again.
    func apply(_ change: ReceivedChange, of run: UUIDv7? = nil) throws(InvalidInput) {
        defer { reached(change.rev, run) }
        guard let operation = change.operation else { throw .missing("an operation that is known here") }
        try change.withLandmark { (bytes) throws(InvalidInput) in
            try apply(bytes, change.rev, isRemoved: operation == .removed)
        }
        store.tidy(&slots)
    }

    private func apply(
        _ bytes: UnsafeRawBufferPointer, _ rev: UInt64, isRemoved: Bool
    ) throws(InvalidInput) {
        let landmark = try LandmarkFields(bytes)
        let key = PointKey(landmark.id)
        let existing = index[key].map(\.payload)
        let known = existing.flatMap { slots[Int($0)] }
        if let known, known.rev >= rev { return }
        if isRemoved {
            guard let existing, let known else { return }
            takeOut(existing, known, for: nil)
            index.remove(key)
            slots[Int(existing)] = nil
            store.release(known.stored)
            freeSlots.append(existing)
            return
        }
        let slot = existing ?? freeSlots.popLast() ?? appendSlot()
        let new = record(landmark, bytes, slot: slot)
        if let known { takeOut(slot, known, for: new) }
        slots[Int(slot)] = new
        putIn(slot, new, for: known)
        if let known { store.release(known.stored) }
        index.insert(key, at: landmark.coordinate, payload: slot)
    }

    /// Removes a landmark from the orders in which its new state stands elsewhere. The lists find it by its old
    /// values, so its old record must still be in place.
    private func takeOut(_ slot: UInt32, _ known: ReplicaRecord, for new: ReplicaRecord?) {
        if scans > 0 { touched.append(slot) }
        recency.remove(slot, isOlder)
        if new.map({ !known.hasName(of: $0) }) ?? true { names.remove(slot, isNamedBefore) }
        if new?.kind != known.kind { kinds.remove(slot, from: known.kind) }
        if new?.user != known.user { users.remove(slot, from: known.user) }
        if new?.source != known.source { sources.remove(slot, from: known.source) }
    }

    private func putIn(_ slot: UInt32, _ new: ReplicaRecord, for known: ReplicaRecord?) {
        if scans > 0 { touched.append(slot) }
        recency.insert(slot, isOlder)
        if known.map({ !new.hasName(of: $0) }) ?? true { names.insert(slot, isNamedBefore) }
        if known?.kind != new.kind { kinds.insert(slot, into: new.kind) }
        if known?.user != new.user { users.insert(slot, into: new.user) }
        if known?.source != new.source { sources.insert(slot, into: new.source) }
    }

    // MARK: Scans

    /// Begins to record the slots that change.
    ///
    /// - Returns: the position in that record where the caller's own part begins.
    func beginScan() -> Int {
        scans += 1
        return touched.count
    }

    func endScan() {
        scans -= 1
        if scans == 0 { touched.removeAll(keepingCapacity: touched.capacity <= 65_536) }
    }

    func touched(from count: Int) -> ArraySlice<UInt32> { touched[count...] }

    private func appendSlot() -> UInt32 {
        slots.append(nil)
        return UInt32(slots.count - 1)
    }

    private func record(
        _ landmark: LandmarkFields, _ bytes: UnsafeRawBufferPointer, slot: UInt32
    ) -> ReplicaRecord {
        ReplicaRecord(
            id: landmark.id, rev: landmark.rev,
            stored: landmark.withFoldedName { store.append(slot: slot, bytes, foldedName: $0) },
            kind: kinds.number(of: landmark.kind), user: users.number(of: landmark.user),
            source: sources.number(of: landmark.source), point: SurfacePoint(landmark.coordinate))
    }

    // MARK: Questions

    /// The filter in the replica's numbers; nil when nothing can match, as no landmark has ever had that kind, user
    /// or source.
    func resolve(_ filter: LandmarkFilter) -> RecordFilter? {
        var resolved = RecordFilter()
        if let kind = filter.kind {
            guard let number = kinds.existing(kind) else { return nil }
            resolved.kind = number
        }
        if let user = filter.user {
            guard let number = users.existing(user) else { return nil }
            resolved.user = number
        }
        if let source = filter.source {
            guard let number = sources.existing(source) else { return nil }
            resolved.source = number
        }
        return resolved
    }

    /// Prefetches the landmarks of these rows: they lie all over the memory.
    func prefetch(_ rows: [FoundSlot]) {
        slots.withUnsafeBufferPointer { slots in
            guard let first = slots.baseAddress else { return }
            for row in rows { LargeMemory.prefetch(first + Int(row.slot)) }
            for row in rows { slots[Int(row.slot)]?.stored.prefetch() }
        }
    }

    // MARK: The index's base

    var needsRebuild: Bool { index.needsRebuild }
    func beginRebuild() -> SpatialRebuild { index.beginRebuild() }
    func adopt(_ rebuilt: RebuiltBase) { index.adopt(rebuilt) }
}

extension PointKey {
    init(_ id: Landmark.ID) { self.init(high: id.high, low: id.low) }
}

extension Landmark.ID {
    init(_ key: PointKey) { self.init(high: key.high, low: key.low) }
}
