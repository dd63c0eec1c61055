// SPDX-License-Identifier: Apache-2.0

/// The arrays of an index as bare pointers, for the length of one search.
///
/// Only ``SpatialIndex/withView(_:)`` makes one. It holds the arrays borrowed for as long as the view lives, nothing
/// writes meanwhile because the index is borrowed too, and the view does not leave the closure. In exchange the search
/// counts no references.
struct SpatialView {
    let points: UnsafeBufferPointer<PackedPoint>
    let coordinates: UnsafeBufferPointer<Coordinate>
    let keys: UnsafeBufferPointer<PointKey>
    let boxes: UnsafeBufferPointer<SpatialBox>
    let tombstones: UnsafeBufferPointer<UInt64>
    let heads: UnsafeBufferPointer<Int32>
    let entries: UnsafeBufferPointer<SpatialOverlay.Entry>
    let depth: Int

    /// Names a point: its position in the base, or its entry in the overlay with the highest bit set.
    typealias Reference = UInt32
    private static let overlayBit: Reference = 1 << 31

    @inline(__always)
    static func reference(toEntry entry: Int32) -> Reference { Reference(entry) | overlayBit }

    func coordinate(_ reference: Reference) -> Coordinate {
        reference & Self.overlayBit == 0
            ? coordinates[Int(reference)] : entries[Int(reference ^ Self.overlayBit)].coordinate
    }

    func key(_ reference: Reference) -> PointKey {
        reference & Self.overlayBit == 0 ? keys[Int(reference)] : entries[Int(reference ^ Self.overlayBit)].key
    }

    func payload(_ reference: Reference) -> UInt32 {
        reference & Self.overlayBit == 0
            ? points[Int(reference)].payload : entries[Int(reference ^ Self.overlayBit)].point.payload
    }

    @inline(__always)
    func isDead(_ position: Int) -> Bool {
        tombstones[position >> 6] >> UInt64(position & 63) & 1 == 1
    }
}

extension SpatialIndex {
    /// Lends the arrays to a search.
    @inline(__always)
    func withView<Result>(_ body: (SpatialView) -> Result) -> Result {
        base.points.withUnsafeBufferPointer { points in
            base.coordinates.withUnsafeBufferPointer { coordinates in
                base.keys.withUnsafeBufferPointer { keys in
                    base.boxes.withUnsafeBufferPointer { boxes in
                        tombstones.withUnsafeBufferPointer { tombstones in
                            overlay.heads.withUnsafeBufferPointer { heads in
                                overlay.entries.withUnsafeBufferPointer { entries in
                                    body(
                                        SpatialView(
                                            points: points, coordinates: coordinates, keys: keys, boxes: boxes,
                                            tombstones: tombstones, heads: heads, entries: entries, depth: base.depth))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
