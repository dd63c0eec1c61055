// SPDX-License-Identifier: Apache-2.0

/// From chords to true distances, and to the order of the answer.
extension SearchCandidates {
    /// Measures all that is held and has no true distance yet, puts it in order, and keeps the first `limit`.
    mutating func settle() {
        let held = held
        for index in held.indices where held[index].distance.isNaN || held[index].isEstimate { measure(&held[index]) }
        sort()
        rivals = 0
    }

    /// Puts what is held in order by estimates where these will do: where their error cannot change the order.
    mutating func estimate() {
        let held = held
        let start = limits.query / Cartesian.unitsPerMetre
        let shortReach = SearchLimits.squaredUnits(ShortLine.reach - Cartesian.slack)
        let reach = SearchLimits.squaredUnits(SectionLine.reach - Cartesian.slack)
        // Below it a micrometre shows: where somebody stands is 0 m away.
        let least = SearchLimits.squaredUnits(Compass.bearingReach)
        for index in held.indices where held[index].distance.isNaN {
            let chordSquared = held[index].chordSquared
            guard chordSquared < reach, chordSquared > least else {
                measure(&held[index])
                continue
            }
            let position = view.position(held[index].reference)
            held[index].distance =
                chordSquared < shortReach
                ? ShortLine.distance(from: start, to: position) : SectionLine.distance(from: start, to: position)
            held[index].isEstimate = true
        }
        sort()
        // Each has its true distance within one error: two that are more than two apart are in the right order.
        var isInDoubt = false
        for index in held.indices.dropFirst()
        where held[index].distance - held[index - 1].distance <= 2 * SectionLine.error {
            isInDoubt = true
            // Marked, and measured below: a distance that changed here would be compared with its neighbour's estimate.
            held[index - 1].isInDoubt = true
            held[index].isInDoubt = true
        }
        if isInDoubt {
            for index in held.indices where held[index].isInDoubt && held[index].isEstimate { measure(&held[index]) }
            sort()
        }
        rivals = 0
    }

    /// All that is held, and the rivals. There are rivals only when as many as are wanted are held, so they lie together.
    private var held: UnsafeMutableBufferPointer<Candidate> {
        UnsafeMutableBufferPointer(rebasing: storage[0..<count + rivals])
    }

    private func sort() {
        var held = held
        guard held.count <= Self.fewToSort else {
            held.sort(by: isBefore)
            return
        }
        // By insertion: for the usual page it is quicker than the library's sort, which knows nothing of its size.
        for index in 1..<max(1, held.count) {
            let candidate = held[index]
            var place = index
            while place > 0, isBefore(candidate, held[place - 1]) {
                held[place] = held[place - 1]
                place -= 1
            }
            held[place] = candidate
        }
    }

    private static let fewToSort = 48

    @inline(__always)
    private func isBefore(_ left: Candidate, _ right: Candidate) -> Bool {
        left.distance == right.distance
            ? view.key(left.reference) < view.key(right.reference) : left.distance < right.distance
    }

    mutating func measure(_ candidate: inout Candidate) {
        let coordinate = view.coordinate(candidate.reference)
        if measured.coordinate != coordinate {
            measured = (coordinate, Geodesic.distance(from: limits.place, to: coordinate))
        }
        candidate.distance = measured.distance
        candidate.isEstimate = false
    }
}
