// SPDX-License-Identifier: Apache-2.0

extension SpatialIndex {
    /// Returns the payloads of all points that ``SurfaceCap/mayContain(_:)`` accepts, in no order. No distance is
    /// measured and nothing is sorted, so a hundred thousand payloads take less than a millisecond.
    ///
    /// - Returns: the payloads; nil if there are more than `most`.
    public func payloads(in cap: SurfaceCap, atMost most: Int) -> [UInt32]? {
        guard count > 0 else { return [] }
        let (centre, limit) = (cap.place, cap.greatestChordSquared)
        return withView { view in
            let firstLeaf = (1 << view.depth) - 1
            var found: [UInt32] = []
            var waiting = [0]
            waiting.reserveCapacity(view.depth + 2)
            while let node = waiting.popLast() {
                guard view.boxes[node].leastChordSquared(to: centre) <= limit else { continue }
                guard node >= firstLeaf else {
                    waiting.append(2 * node + 2)
                    waiting.append(2 * node + 1)
                    continue
                }
                for position in view.range(ofLeaf: node - firstLeaf) {
                    let point = view.points[position]
                    guard point.chordSquared(to: centre) <= limit, !view.isDead(position) else { continue }
                    found.append(point.payload)
                }
                var entry = view.heads[node - firstLeaf]
                while entry >= 0 {
                    let point = view.entries[Int(entry)].point
                    if point.chordSquared(to: centre) <= limit { found.append(point.payload) }
                    entry = view.entries[Int(entry)].next
                }
                guard found.count <= most else { return nil }
            }
            return found
        }
    }
}
