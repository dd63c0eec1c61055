// SPDX-License-Identifier: Apache-2.0

import DequeModule
import Geodesy
import Landmarks
import SwiftProtobuf
import WaymarkProtocol
import WaymarkTransport

/// All landmarks in memory, as they are at one position of the history, with the index that finds the nearest.
///
/// It has one owner, on whose thread it is changed and asked. Changes are applied in order; one that the replica has
/// already (a snapshot may be newer than the position it began at) changes nothing.
final class Replica {
    private(set) var position: Position
    private(set) var index: SpatialIndex
    private var slots: [ReplicaRecord?] = []
    private let store = LandmarkStore()
    private var freeSlots: [UInt32] = []
    private var recency = RecencyList()
    private var kinds = Interner()
    private var users = Interner()
    private var sources = Interner()

    /// Through which revision the landmarks are known.
    ///
    /// - Parameter run: that of the storage which told; nil when nothing is known of it.
    func reached(_ rev: UInt64, _ run: UUIDv7? = nil) {
        position.rev = max(position.rev, rev)
        if let run { position.run = run }
    }

    var count: Int { index.count }

    /// Of memory that the encoded landmarks take.
    var landmarkBytes: Int { store.byteCount }

    /// - Throws: when a landmark cannot be read.
    init(_ loaded: ReplicaSnapshot) throws(InvalidInput) {
        position = loaded.position
        index = SpatialIndex(loaded.tree)
        slots = Array(repeating: nil, count: loaded.count)
        try loaded.forEach { (place, bytes) throws(InvalidInput) in
            slots[Int(place)] = record(try LandmarkFields(bytes), bytes, slot: place)
        }
        recency = RecencyList(slots.enumerated().compactMap { slot, record in record.map { ($0.rev, UInt32(slot)) } })
    }

    /// Made away from the caller's thread: it takes seconds for a million landmarks.
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

    /// - Parameter run: that of the storage which told it.
    /// - Throws: when the change is not one that this version can keep: the replica has to be loaded anew.
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
        if let known { store.release(known.stored) }
        if isRemoved {
            guard let existing else { return }
            index.remove(key)
            slots[Int(existing)] = nil
            freeSlots.append(existing)
            return
        }
        let slot = existing ?? freeSlots.popLast() ?? appendSlot()
        slots[Int(slot)] = record(landmark, bytes, slot: slot)
        index.insert(key, at: landmark.coordinate, payload: slot)
        recency.append(rev: landmark.rev, slot: slot)
        if recency.count > 2 * count + 1_024 { recency.keep { slots[Int($0.slot)]?.rev == $0.rev } }
    }

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
            source: sources.number(of: landmark.source))
    }

    // MARK: Questions

    /// Nil when nothing can match: no landmark has ever had that kind, user or source.
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

    /// In exact order. The distances may be a micrometre off.
    func nearest(_ question: NearQuestion, _ filter: RecordFilter) -> [Neighbour] {
        if filter.isEmpty {
            return index.nearest(
                to: question.coordinate, limit: question.limit, maxDistance: question.radius,
                minDistance: question.minDistance, after: question.after, precision: .micrometre)
        }
        return index.nearest(
            to: question.coordinate, limit: question.limit, maxDistance: question.radius,
            minDistance: question.minDistance, after: question.after, precision: .micrometre
        ) { slot in slots[Int(slot)].map(filter.matches) ?? false }
    }

    /// Asks the processor to have the landmarks of these rows at hand soon: they lie anywhere in memory.
    func prefetch(_ rows: [Neighbour]) {
        slots.withUnsafeBufferPointer { slots in
            guard let first = slots.baseAddress else { return }
            for row in rows { LargeMemory.prefetch(first + Int(row.payload)) }
            for row in rows { slots[Int(row.payload)]?.stored.prefetch() }
        }
    }

    /// The last changed first, after the revision of a cursor.
    func recent(limit: Int, _ filter: RecordFilter, before rev: UInt64?) -> [ReplicaRecord] {
        var found: [ReplicaRecord] = []
        for entry in recency.newestFirst(before: rev) where found.count < limit {
            guard let record = slots[Int(entry.slot)], record.rev == entry.rev, filter.matches(record) else { continue }
            found.append(record)
        }
        return found
    }

    /// By folded name, then id, after those of a cursor. Looks at every landmark once.
    func named(limit: Int, _ filter: RecordFilter, after: (name: String, id: Landmark.ID)?) -> [ReplicaRecord] {
        var first = FirstFew<ReplicaRecord>(limit) { $0.isBefore($1) }
        let name = [UInt8]((after?.name ?? "").utf8)
        for case let record? in slots where filter.matches(record) {
            if let after, !record.isAfter(name, after.id) { continue }
            first.offer(record)
        }
        return first.sorted
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
