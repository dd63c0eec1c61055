// SPDX-License-Identifier: Apache-2.0

/// The arrays of an index as pointers, valid during one search.
///
/// Only ``SpatialIndex/withView(_:)`` makes a view. It borrows the arrays for as long as the view exists. Nothing can
/// write to them, because the index is borrowed too. The view must not leave the closure. So the search needs no
/// reference counting.
struct SpatialView {
    let points: UnsafeBufferPointer<PackedPoint>
    let details: UnsafeBufferPointer<PointDetail>
    let boxes: UnsafeBufferPointer<SpatialBox>
    let tombstones: UnsafeBufferPointer<UInt64>
    let heads: UnsafeBufferPointer<Int32>
    let entries: UnsafeBufferPointer<SpatialOverlay.Entry>
    let depth: Int

    /// A reference to a point: its index in the base, or that of its overlay entry with the highest bit set.
    typealias Reference = UInt32
    private static let overlayBit: Reference = 1 << 31

    @inline(__always)
    static func reference(toEntry entry: Int32) -> Reference { Reference(entry) | overlayBit }

    // Each branch reads one field, because returning the whole detail would copy it for each row of an answer.

    func coordinate(_ reference: Reference) -> Coordinate {
        reference & Self.overlayBit == 0
            ? details[Int(reference)].coordinate : entries[Int(reference ^ Self.overlayBit)].detail.coordinate
    }

    /// Returns the position in metres, within ``Cartesian/packedError``; the fourth lane is 0.
    @inline(__always)
    func position(_ reference: Reference) -> SIMD4<Double> {
        guard reference & Self.overlayBit == 0 else {
            let entry = entries[Int(reference ^ Self.overlayBit)]
            return Cartesian.position(entry.point, entry.detail.remainder)
        }
        return Cartesian.position(points[Int(reference)], details[Int(reference)].remainder)
    }

    func key(_ reference: Reference) -> PointKey {
        reference & Self.overlayBit == 0
            ? details[Int(reference)].key : entries[Int(reference ^ Self.overlayBit)].detail.key
    }

    func payload(_ reference: Reference) -> UInt32 {
        reference & Self.overlayBit == 0
            ? points[Int(reference)].payload : entries[Int(reference ^ Self.overlayBit)].point.payload
    }

    /// Returns the indices of the points of this leaf.
    @inline(__always)
    func range(ofLeaf leaf: Int) -> Range<Int> {
        SpatialTree.range(ofLeaf: leaf, count: points.count, depth: depth)
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
            base.details.withUnsafeBufferPointer { details in
                base.boxes.withUnsafeBufferPointer { boxes in
                    tombstones.withUnsafeBufferPointer { tombstones in
                        overlay.heads.withUnsafeBufferPointer { heads in
                            overlay.entries.withUnsafeBufferPointer { entries in
                                body(
                                    SpatialView(
                                        points: points, details: details, boxes: boxes, tombstones: tombstones,
                                        heads: heads, entries: entries, depth: base.depth))
                            }
                        }
                    }
                }
            }
        }
    }
}
