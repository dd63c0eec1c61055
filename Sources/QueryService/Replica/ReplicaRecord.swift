// SPDX-License-Identifier: Apache-2.0

import Geodesy
internal import Landmarks

/// A landmark in the replica: the address of its encoded bytes, and the values that filters compare.
///
/// All values are numbers or addresses, so a million records can be examined without reference counting. A record takes
/// 48 bytes. The id is only in the encoded bytes, because few questions need it.
struct ReplicaRecord {
    let rev: UInt64
    var stored: LandmarkAddress
    let numbers: LandmarkOrders.Numbers
    let point: SurfacePoint
    /// An upper bound of the score that ``Prominence`` computes. It shows for most landmarks, without reading them,
    /// that others come first.
    let scoreBound: Float

    var id: Landmark.ID { stored.id }

    /// The encoded `Landmark`. The bytes are valid until the replica changes.
    var bytes: UnsafeRawBufferPointer { stored.landmark }

    /// The landmark's key in the order by name.
    var sortedName: SortedName { stored.withFoldedName { SortedName($0, id) } }

    var foldedName: String { stored.withFoldedName { String(decoding: $0, as: UTF8.self) } }

    /// Whether this record comes first: by the bytes of its folded name, then by id.
    func isBefore(_ other: ReplicaRecord) -> Bool {
        let order = compareName(to: other)
        return order == 0 ? id < other.id : order < 0
    }

    func isAfter(_ name: [UInt8], _ id: Landmark.ID) -> Bool {
        let order = stored.withFoldedName { own in name.withUnsafeBytes { SortedName.compare(own, $0) } }
        return order == 0 ? id < self.id : order > 0
    }

    func hasName(of other: ReplicaRecord) -> Bool { compareName(to: other) == 0 }

    private func compareName(to other: ReplicaRecord) -> Int {
        if let own = stored.asciiName, let other = other.stored.asciiName {
            return SortedName.compare(ascii: own, other)
        }
        return stored.withFoldedName { own in other.stored.withFoldedName { SortedName.compare(own, $0) } }
    }
}

extension ReplicaRecord {
    /// Writes a landmark of a snapshot to the store.
    init(_ slot: UInt32, _ landmarks: SnapshotLandmarks, at place: SpatialPlace, in store: LandmarkStore) {
        let landmark = landmarks[slot]
        self.init(
            rev: landmark.rev,
            stored: store.append(slot: slot, landmarks.bytes(slot), foldedName: landmarks.foldedName(slot)),
            numbers: landmark.numbers, point: SurfacePoint(place), scoreBound: landmark.scoreBound)
    }

    /// Writes a landmark to the store.
    init(
        _ landmark: LandmarkFields, _ bytes: UnsafeRawBufferPointer, _ numbers: LandmarkOrders.Numbers,
        at place: SpatialPlace, slot: UInt32, in store: LandmarkStore
    ) {
        self.init(
            rev: landmark.view.rev,
            stored: landmark.withFoldedName { store.append(slot: slot, bytes, foldedName: $0) },
            numbers: numbers, point: SurfacePoint(place), scoreBound: Prominence.bound(landmark.view))
    }
}
