// SPDX-License-Identifier: Apache-2.0

/// The points that may still belong to an answer, and the chord beyond which none can.
///
/// The `limit` points with the shortest chords are held: few in order of chord, many as a heap. A point that is not
/// among them, but whose chord is so close to theirs that its geodesic may be shorter, is a rival and waits. So true
/// distances are computed for hardly more points than are asked for: at the end, or when too many rivals wait, or when a
/// limit of the question depends on it.
///
/// Invariant: a point seen and allowed is held, or at least `limit` points that are held come before it.
struct SearchCandidates {
    /// A point that was seen.
    struct Candidate {
        var chordSquared: Double
        /// Metres, or NaN while it is not needed.
        var distance: Double
        var reference: SpatialView.Reference
        /// Whether `distance` is only within ``SectionLine/error``.
        var isEstimate = false
        /// Whether estimates do not tell which of this one and a neighbour comes first.
        var isInDoubt = false
    }

    let view: SpatialView
    let limits: SearchLimits
    private let capacity: Int
    /// Or else they are a heap.
    let areInOrder: Bool
    private let room: Int
    /// What is held from 0, the rivals from `capacity`.
    let storage: UnsafeMutableBufferPointer<Candidate>
    var count = 0
    var rivals = 0
    /// The point measured last: landmarks of one house often share a coordinate.
    var measured: (coordinate: Coordinate, distance: Double)

    /// The longest chord, squared, that is still of interest.
    private(set) var ceiling: Double

    /// How many rivals may wait. For the usual page all of it fits into the kilobyte that is had without asking the
    /// C library for memory.
    private static func room(_ limit: Int) -> Int { limit / 2 + 8 }

    /// How much storage a search for this many rows needs.
    static func storageCount(_ limit: Int) -> Int { limit + room(limit) }

    init(_ view: SpatialView, _ limits: SearchLimits, storage: UnsafeMutableBufferPointer<Candidate>) {
        self.view = view
        self.limits = limits
        self.storage = storage
        capacity = limits.limit
        areInOrder = limits.limit <= Self.mostInOrder
        room = Self.room(limits.limit)
        ceiling = limits.ceiling
        // Equal to no coordinate, so that the first one is measured.
        measured = (Coordinate(valid: .nan, .nan), .nan)
    }

    /// Takes a point whose chord is neither below the floor nor above ``ceiling``.
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

    /// The same among many. Apart, so that the usual case stays short.
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

    /// Puts the allowed points in order of distance, then of key, at most `limit` of them, at the beginning of the
    /// storage.
    mutating func finish(_ precision: DistancePrecision) {
        dropRivals()
        if precision == .micrometre { estimate() } else { settle() }
    }

    /// No allowed point beyond the rivals of the longest chord that is held can be in the answer.
    private mutating func lowerCeiling(below longest: Candidate) {
        let chord = longest.chordSquared.squareRoot() / Cartesian.unitsPerMetre
        ceiling = min(ceiling, SearchLimits.squaredUnits(ChordBounds.rivalChord(of: chord)))
    }

    private mutating func keep(_ rival: Candidate) {
        if rivals == room {
            dropRivals()
            // More than half of the room still taken: many points at almost one distance. Their true distances decide,
            // and the ceiling comes down to the true `limit`-th one.
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

    /// Forgets the rivals beyond the ceiling.
    private mutating func dropRivals() {
        var kept = 0
        for index in capacity..<capacity + rivals where storage[index].chordSquared <= ceiling {
            storage[capacity + kept] = storage[index]
            kept += 1
        }
        rivals = kept
    }
}
