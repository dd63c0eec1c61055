// SPDX-License-Identifier: Apache-2.0

/// The points that may still belong to an answer, and the maximum chord that a further point of the answer can have.
///
/// The `limit` points with the shortest chords are held: few as a sorted list, many as a heap. A point whose chord is
/// only a little longer, so that its geodesic may be shorter than that of a held point, is a rival, and waits. Exact
/// distances are computed only at the end, or when too many rivals wait, or when a bound of the query depends on a
/// distance. So hardly more points are measured than were requested.
///
/// Invariant: every allowed point seen so far is held, is a rival, or comes after at least `limit` of these points.
struct SearchCandidates {
    /// A point that the walk down the tree has seen.
    struct Candidate {
        var chordSquared: Double
        /// The distance in metres; NaN until it is computed.
        var distance: Double
        var reference: SpatialView.Reference
        /// Whether `distance` is an estimate, accurate to ``SectionLine/error``.
        var isEstimate = false
        /// Whether the estimates cannot decide the order between this candidate and a neighbour.
        var isInDoubt = false
    }

    let view: SpatialView
    let limits: SearchLimits
    private let capacity: Int
    /// Whether the candidates are a sorted list; if not, they are a heap.
    let areInOrder: Bool
    private let room: Int
    /// The memory for the candidates: held points begin at index 0, rivals at index `capacity`.
    let storage: UnsafeMutableBufferPointer<Candidate>
    var count = 0
    var rivals = 0
    /// The point measured last. Its distance is reused because landmarks in one house often have the same coordinate.
    var measured: (coordinate: Coordinate, distance: Double)

    /// The square of the longest chord that can still belong to the answer.
    private(set) var ceiling: Double

    /// Returns how many rivals may wait. For a page of the usual size, all candidates fit into the kilobyte of stack
    /// that a temporary allocation gets without calling malloc.
    private static func room(_ limit: Int) -> Int { limit / 2 + 8 }

    /// Returns the number of candidates that a search for this many rows needs storage for.
    static func storageCount(_ limit: Int) -> Int { limit + room(limit) }

    init(_ view: SpatialView, _ limits: SearchLimits, storage: UnsafeMutableBufferPointer<Candidate>) {
        self.view = view
        self.limits = limits
        self.storage = storage
        capacity = limits.limit
        areInOrder = limits.limit <= Self.mostInOrder
        room = Self.room(limits.limit)
        ceiling = limits.ceiling
        // NaN differs from every coordinate, so the first point is always measured.
        measured = (Coordinate(valid: .nan, .nan), .nan)
    }

    /// Considers a point whose chord is at least the floor and at most ``ceiling``.
    mutating func offer(_ reference: SpatialView.Reference, chordSquared: Double) {
        var candidate = Candidate(chordSquared: chordSquared, distance: .nan, reference: reference)
        if !limits.isCertain(chordSquared: chordSquared) {
            measure(&candidate)
            guard limits.allows(candidate.distance, view.key(reference)) else { return }
        }
        guard areInOrder else { return offerToHeap(candidate) }
        if count < capacity {
            count += 1
            putInOrder(candidate)
            if count == capacity { lowerCeiling(below: storage[count - 1]) }
        } else if chordSquared < storage[count - 1].chordSquared {
            let ousted = storage[count - 1]
            putInOrder(candidate)
            lowerCeiling(below: storage[count - 1])
            if ousted.chordSquared <= ceiling { keep(ousted) }
        } else {
            keep(candidate)
        }
    }

    /// Does the same as ``offer(_:chordSquared:)`` for a heap. A separate function, so that the usual case stays short.
    @inline(never)
    private mutating func offerToHeap(_ candidate: Candidate) {
        if count < capacity {
            storage[count] = candidate
            count += 1
            siftUp()
            if count == capacity { lowerCeiling(below: storage[0]) }
        } else if candidate.chordSquared < storage[0].chordSquared {
            let ousted = storage[0]
            storage[0] = candidate
            siftDown(from: 0)
            lowerCeiling(below: storage[0])
            if ousted.chordSquared <= ceiling { keep(ousted) }
        } else {
            keep(candidate)
        }
    }

    /// Sorts all allowed points by distance, then by key, and leaves the first `limit` of them at the start of the
    /// storage.
    mutating func finish(_ precision: DistancePrecision) {
        dropRivals()
        if precision == .micrometre { estimate() } else { settle() }
    }

    /// Lowers the ceiling to the longest chord of any point that can be as near as the held point `longest`.
    private mutating func lowerCeiling(below longest: Candidate) {
        let chord = longest.chordSquared.squareRoot() / Cartesian.unitsPerMetre
        ceiling = min(ceiling, SearchLimits.squaredUnits(ChordBounds.rivalChord(of: chord)))
    }

    private mutating func keep(_ rival: Candidate) {
        if rivals == room {
            dropRivals()
            // More than half of the room is still taken, because many points lie at almost the same distance. Exact
            // distances decide between them, and lower the ceiling to the distance of the true `limit`-th point.
            if rivals > room / 2 {
                settle()
                let farthest = storage[count - 1].distance
                ceiling = min(
                    ceiling,
                    SearchLimits.squaredUnits(ChordBounds.longestChord(within: farthest) + Cartesian.slack))
                arrange()
                if rival.chordSquared > ceiling { return }
            }
        }
        storage[capacity + rivals] = rival
        rivals += 1
    }

    /// Removes the rivals whose chords exceed the ceiling.
    private mutating func dropRivals() {
        var kept = 0
        for index in capacity..<capacity + rivals where storage[index].chordSquared <= ceiling {
            storage[capacity + kept] = storage[index]
            kept += 1
        }
        rivals = kept
    }
}
