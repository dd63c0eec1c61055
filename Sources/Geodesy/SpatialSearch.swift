// SPDX-License-Identifier: Apache-2.0

internal import CShims

/// The walk down the tree, nearer child first.
enum SpatialSearch {
    /// A node that is still to be visited, and a lower bound for the chord of its points.
    struct Visit {
        var node: Int32
        var chordSquared: Double
    }

    /// Offers every point that may be in the answer to `candidates`.
    ///
    /// Inlined into each public method, so that a constant filter compiles to nothing and a real one to a direct call.
    ///
    /// - Parameter isEnough: asked before each descent; true ends the walk, and the candidates found so far stand.
    @inline(__always)
    static func run(
        _ view: SpatialView, _ limits: SearchLimits, _ candidates: inout SearchCandidates,
        _ visits: UnsafeMutableBufferPointer<Visit>, _ accept: (UInt32) -> Bool, _ isEnough: () -> Bool
    ) {
        let query = limits.query
        let floor = limits.floor
        let firstLeaf = (1 << view.depth) - 1
        visits[0] = Visit(node: 0, chordSquared: view.boxes[0].leastChordSquared(to: query))
        // At most one far child waits for each level, so `depth` + 1 visits are enough.
        var waiting = 1
        while waiting > 0, !isEnough() {
            waiting -= 1
            guard visits[waiting].chordSquared <= candidates.ceiling else { continue }
            var node = Int(visits[waiting].node)
            descent: while true {
                if floor > 0, view.boxes[node].greatestChordSquared(to: query) < floor { break descent }
                if node >= firstLeaf {
                    scan(view, leaf: node - firstLeaf, query, floor, &candidates, accept)
                    break descent
                }
                let (left, right) = (2 * node + 1, 2 * node + 2)
                // Among a million points the walk mostly waits for memory. So prefetch the eight boxes three levels
                // below, which are adjacent.
                let eighth = 8 * node + 7
                if eighth < view.boxes.count {
                    let boxes = UnsafeRawPointer(view.boxes.baseAddress! + eighth)
                    waymark_prefetch(boxes)
                    waymark_prefetch(boxes + 64)
                    waymark_prefetch(boxes + 128)
                    waymark_prefetch(boxes + (8 * MemoryLayout<SpatialBox>.stride - 1))
                } else if right >= firstLeaf {
                    let points = view.points.baseAddress! + view.range(ofLeaf: left - firstLeaf).lowerBound
                    waymark_prefetch(points)
                    waymark_prefetch(points + 4)
                    waymark_prefetch(points + 8)
                    waymark_prefetch(points + 12)
                    waymark_prefetch(view.heads.baseAddress! + (left - firstLeaf))
                }
                let leftChord = view.boxes[left].leastChordSquared(to: query)
                let rightChord = view.boxes[right].leastChordSquared(to: query)
                let leftIsNearer = leftChord <= rightChord
                let (near, far) = leftIsNearer ? (left, right) : (right, left)
                let (nearChord, farChord) = leftIsNearer ? (leftChord, rightChord) : (rightChord, leftChord)
                if farChord <= candidates.ceiling {
                    visits[waiting] = Visit(node: Int32(far), chordSquared: farChord)
                    waiting += 1
                }
                if nearChord > candidates.ceiling { break descent }
                node = near
            }
        }
    }

    /// Offers the points of a leaf, and those of the leaf's list in the overlay.
    @inline(__always)
    private static func scan(
        _ view: SpatialView, leaf: Int, _ query: SIMD4<Double>, _ floor: Double,
        _ candidates: inout SearchCandidates, _ accept: (UInt32) -> Bool
    ) {
        for position in view.range(ofLeaf: leaf) {
            let point = view.points[position]
            let chordSquared = point.chordSquared(to: query)
            guard chordSquared <= candidates.ceiling, chordSquared >= floor else { continue }
            guard !view.isDead(position), accept(point.payload) else { continue }
            waymark_prefetch(view.details.baseAddress! + position)
            candidates.offer(UInt32(position), chordSquared: chordSquared)
        }
        var entry = view.heads[leaf]
        while entry >= 0 {
            let point = view.entries[Int(entry)].point
            let chordSquared = point.chordSquared(to: query)
            if chordSquared <= candidates.ceiling, chordSquared >= floor, accept(point.payload) {
                candidates.offer(SpatialView.reference(toEntry: entry), chordSquared: chordSquared)
            }
            entry = view.entries[Int(entry)].next
        }
    }
}
