// SPDX-License-Identifier: Apache-2.0

extension SpatialIndex {
    /// Whether so much has changed that a new base is worth its half second for a million points.
    ///
    /// An eighth of the base, so that the work of all rebuilds stays in proportion to the growth; or a thousand points
    /// on one leaf, as when one city is loaded, because a search near them looks at each; or as many moves as a quarter
    /// of the base, however few points make them, because every place that one has been at makes the boxes on its way
    /// larger, and a search looks into each that may hold something near. False while a rebuild is under way.
    public var needsRebuild: Bool {
        guard journal == nil else { return false }
        return overlay.count + tombstoneCount > max(1024, base.count / 8) || overlay.longestChain > 1024
            || growths > max(4096, base.count / 4)
    }

    /// Takes what a new base is built from, and from here on remembers what changes.
    ///
    /// A rebuild that was begun before and not yet adopted is given up: its result will be refused.
    public mutating func beginRebuild() -> SpatialRebuild {
        generation += 1
        journal = []
        return SpatialRebuild(
            points: base.points, details: base.details, tombstones: tombstones, overlay: overlay,
            generation: generation)
    }

    /// Gives the rebuild up, if there is one under way: its result will be refused.
    public mutating func abandonRebuild() {
        generation += 1
        journal = nil
    }

    /// Swaps a new base in, and does again what has changed since ``beginRebuild()``.
    ///
    /// The work is in proportion to those changes.
    ///
    /// - Returns: false, and nothing done, if another rebuild has been begun, adopted or abandoned since.
    @discardableResult
    public mutating func adopt(_ rebuilt: RebuiltBase) -> Bool {
        guard let changed = journal, rebuilt.generation == generation else { return false }
        var renewed = SpatialIndex(rebuilt.tree)
        renewed.generation = generation
        for key in changed {
            // Only what a key has come to matters, not the steps: each is set or removed whole.
            if let point = self[key] {
                renewed.insert(key, at: point.coordinate, payload: point.payload)
            } else {
                renewed.remove(key)
            }
        }
        self = renewed
        return true
    }
}

/// What a new base is built from: the index as it was at ``SpatialIndex/beginRebuild()``. Takes no copy of the base.
public struct SpatialRebuild: Sendable {
    let points: [PackedPoint]
    let details: [PointDetail]
    let tombstones: [UInt64]
    let overlay: SpatialOverlay
    let generation: UInt64

    /// Builds the new base, on whatever thread calls it.
    public func build() -> RebuiltBase {
        let live = points.indices.filter { tombstones[$0 >> 6] >> UInt64($0 & 63) & 1 == 0 }
        var coordinates = live.map { details[$0].coordinate }
        var keys = live.map { details[$0].key }
        var payloads = live.map { points[$0].payload }
        overlay.forEach { entry in
            coordinates.append(entry.coordinate)
            keys.append(entry.key)
            payloads.append(entry.point.payload)
        }
        let tree = SpatialTree(coordinates: coordinates, keys: keys, payloads: payloads)
        return RebuiltBase(tree: tree, generation: generation)
    }
}

/// A new base, for ``SpatialIndex/adopt(_:)``.
public struct RebuiltBase: Sendable {
    let tree: SpatialTree
    let generation: UInt64
}
