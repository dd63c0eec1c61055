// SPDX-License-Identifier: Apache-2.0

import Glibc
import Geodesy
internal import Landmarks

/// A landmark as the replica keeps it: the address of its encoded bytes, and the values that queries filter by.
///
/// It consists of plain numbers and an address, so a million of them can be examined without reference counting.
struct ReplicaRecord {
    let id: Landmark.ID
    let rev: UInt64
    var stored: StoredLandmark
    let kind: UInt32
    let user: UInt32
    /// The number of the source's name.
    let source: UInt32
    let point: SurfacePoint
    /// Not less than the score of ``Prominence``, so that most landmarks need not be read to know that others are before.
    let scoreBound: Float
    /// Whether it has opening hours.
    let hasHours: Bool

    /// The encoded `Landmark`. Valid until the replica changes.
    var bytes: UnsafeRawBufferPointer { stored.landmark }

    /// The key of the order by name.
    var sortedName: SortedName { SortedName(stored.foldedName, id) }

    var foldedName: String { String(decoding: stored.foldedName, as: UTF8.self) }

    /// Whether this record comes before another by the bytes of its folded name, then by id.
    func isBefore(_ other: ReplicaRecord) -> Bool {
        let order = Self.compare(stored.foldedName, other.stored.foldedName)
        return order == 0 ? id < other.id : order < 0
    }

    func isAfter(_ name: [UInt8], _ id: Landmark.ID) -> Bool {
        let order = name.withUnsafeBytes { Self.compare(stored.foldedName, $0) }
        return order == 0 ? id < self.id : order > 0
    }

    func hasName(of other: ReplicaRecord) -> Bool {
        Self.compare(stored.foldedName, other.stored.foldedName) == 0
    }

    private static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        let both = min(left.count, right.count)
        let order = both == 0 ? 0 : memcmp(left.baseAddress!, right.baseAddress!, both)
        return order == 0 ? left.count - right.count : Int(order)
    }
}
