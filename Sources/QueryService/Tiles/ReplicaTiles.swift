// SPDX-License-Identifier: Apache-2.0

import Geodesy

/// The slots of a replica's landmarks, in the order of map tiles.
///
/// They are entered in steps while the replica changes. Slots below ``filled`` are in the index, and every change is
/// applied to them. Higher slots are entered later, with their state at that time.
final class ReplicaTiles {
    private(set) var index = TileIndex()
    /// Whether all slots have been entered.
    private(set) var isFilled = false
    private var filled = 0
    private(set) var scans: [ObjectIdentifier: TileScan] = [:]

    /// A landmark before or after a change.
    typealias State = (coordinate: Coordinate, record: ReplicaRecord)

    /// Enters the next slots.
    ///
    /// - Parameters:
    ///   - step: the number of slots to enter.
    ///   - total: the number of slots in the replica.
    ///   - rev: the revision through which the replica is complete. It becomes the stamp of every tile when all slots
    ///     have been entered.
    ///   - state: returns the landmark of a slot; nil if the slot is free.
    func fill(_ step: Int, of total: Int, at rev: UInt64, _ state: (UInt32) -> State?) {
        guard !isFilled else { return }
        let end = min(filled + step, total)
        for slot in UInt32(filled)..<UInt32(end) {
            guard let code = state(slot).flatMap({ WebMercator.code(of: $0.coordinate) }) else { continue }
            index.insert(slot, at: code)
        }
        filled = end
        guard filled == total else { return }
        index.stampAll(with: rev)
        isFilled = true
    }

    /// Applies a change of the replica.
    ///
    /// - Parameters:
    ///   - old: the landmark before the change; nil if it is added.
    ///   - new: the landmark after the change; nil if it is removed.
    func change(_ slot: UInt32, from old: State?, to new: State?, rev: UInt64) {
        if let old, let new, old.coordinate == new.coordinate, old.record.numbers == new.record.numbers { return }
        let here = old.flatMap { WebMercator.code(of: $0.coordinate) }
        let there = new.flatMap { WebMercator.code(of: $0.coordinate) }
        if here != there, isFilled || Int(slot) < filled {
            if let here { index.remove(slot, at: here) }
            if let there { index.insert(slot, at: there) }
        }
        if let here { index.stamp(here, slot, with: rev) }
        if let there { index.stamp(there, slot, with: rev) }
        for scan in scans.values {
            if let old, let here { scan.lost(slot, old, at: here) }
            if let new, let there { scan.gained(slot, new, at: there) }
        }
    }

    func begin(_ scan: TileScan) { scans[ObjectIdentifier(scan)] = scan }
    func end(_ scan: TileScan) { scans[ObjectIdentifier(scan)] = nil }
}
