// SPDX-License-Identifier: Apache-2.0

internal import CShims

/// The walk down the tree, which visits the nearer child of each node first.
enum SpatialSearch {
    /// A node to visit later, and a lower bound for the chords of its points.
    struct Visit {
        var node: Int32
        var chordSquared: Double
    }

    /// Offers to `candidates` every point that may be in the answer.
    ///
    /// Inlined into each public method, so that a constant filter costs nothing and any other is called directly.
    ///
    /// - Parameter isEnough: called before each descent. If it returns true, the walk ends; the candidates found so far
    ///   stand.
    @inline(__always)
    static func run(
        _ view: SpatialView, _ limits: SearchLimits, _ candidates: inout SearchCandidates,
        _ visits: UnsafeMutableBufferPointer<Visit>, _ accept: (UInt32) -> Bool, _ isEnough: () -> Bool
    ) {
        let query = limits.query
        let floor = limits.floor
        let firstLeaf = (1 << view.depth) - 1
        visits[0] = Visit(node: 0, chordSquared: view.boxes[0].leastChordSquared(to: query))
        // At most one far child waits for each level, so room for `depth` + 1 visits is enough.
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
                // With a million points the walk mostly waits for memory. So the eight boxes three levels below, which
                // are adjacent, are prefetched.
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

    /// Offers the points of a leaf, and the added points in the leaf's list.
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
