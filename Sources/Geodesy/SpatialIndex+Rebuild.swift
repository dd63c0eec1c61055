// SPDX-License-Identifier: Apache-2.0

extension SpatialIndex {
    /// Whether so much has changed that a new base is worth its cost: half a second for a million points.
    ///
    /// True in any of three cases:
    /// - The changes amount to a quarter of the base. The cost of all rebuilds then stays in proportion to the growth,
    ///   and a search takes a twentieth longer just before a rebuild than just after it.
    /// - Insertions amount to a quarter of the base, even if the same few points were moved repeatedly. Each new place
    ///   of a point enlarges the boxes above it, and a search opens every box that may contain something near.
    /// - One leaf has a thousand added points, as when one city is loaded. A search nearby examines all of them.
    ///
    /// While a rebuild is in progress, it is false.
    public var needsRebuild: Bool {
        guard journal == nil else { return false }
        return max(overlay.count + tombstoneCount, growths) > max(4096, base.count / 4) || overlay.longestChain > 1024
    }

    /// Returns the input of a new base, and begins to record later changes.
    ///
    /// An earlier rebuild whose result was not adopted becomes void: ``adopt(_:)`` will refuse the result.
    public mutating func beginRebuild() -> SpatialRebuild {
        generation += 1
        journal = []
        return SpatialRebuild(
            points: base.points, details: base.details, tombstones: tombstones, overlay: overlay,
            generation: generation)
    }

    /// Replaces the base by the rebuilt base, and applies the changes recorded since ``beginRebuild()``.
    ///
    /// The time is proportional to the number of these changes.
    ///
    /// - Returns: false, with nothing changed, if another rebuild was begun or adopted meanwhile.
    @discardableResult
    public mutating func adopt(_ rebuilt: RebuiltBase) -> Bool {
        guard let changed = journal, rebuilt.generation == generation else { return false }
        var renewed = SpatialIndex(rebuilt.tree)
        renewed.generation = generation
        for key in changed {
            // Only the final state of a key matters, because a change replaces or removes the whole point.
            if let point = self[key] {
                renewed.insert(key, at: SpatialPlace(point.coordinate), payload: point.payload)
            } else {
                renewed.remove(key)
            }
        }
        self = renewed
        return true
    }
}

/// The input of a rebuild: the index as it was at ``SpatialIndex/beginRebuild()``. It shares the base's storage.
public struct SpatialRebuild: Sendable {
    let points: [PackedPoint]
    let details: [PointDetail]
    let tombstones: [UInt64]
    let overlay: SpatialOverlay
    let generation: UInt64

    /// Builds the new base. May be called on any thread.
    public func build() -> RebuiltBase {
        var packed: [PackedPoint] = []
        var rest: [PointDetail] = []
        packed.reserveCapacity(points.count + overlay.count)
        rest.reserveCapacity(points.count + overlay.count)
        for position in points.indices where tombstones[position >> 6] >> UInt64(position & 63) & 1 == 0 {
            packed.append(points[position])
            rest.append(details[position])
        }
        overlay.forEach { entry in
            packed.append(entry.point)
            rest.append(entry.detail)
        }
        return RebuiltBase(tree: SpatialTree(packed: packed, details: rest), generation: generation)
    }
}

/// A rebuilt base, to be passed to ``SpatialIndex/adopt(_:)``.
public struct RebuiltBase: Sendable {
    let tree: SpatialTree
    let generation: UInt64
}
