// SPDX-License-Identifier: Apache-2.0

/// Computes the distances of candidates, and sorts by them.
extension SearchCandidates {
    /// Computes the exact distance of every held candidate that has none yet, sorts all, and keeps the first `limit`.
    mutating func settle() {
        let held = held
        for index in held.indices where held[index].distance.isNaN || held[index].isEstimate { measure(&held[index]) }
        sort()
        rivals = 0
    }

    /// Sorts by estimated distances, and computes exact distances where the error of the estimates could change the
    /// order.
    mutating func estimate() {
        let held = held
        let start = limits.query / Cartesian.unitsPerMetre
        let shortReach = SearchLimits.squaredUnits(ShortLine.reach - Cartesian.slack)
        let reach = SearchLimits.squaredUnits(SectionLine.reach - Cartesian.slack)
        // An error of a micrometre would be visible below this chord: a landmark exactly at the queried place must be 0
        // m away.
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
        // Each estimate differs from the exact distance by at most one error. So two estimates are in the right order
        // if they are more than two errors apart.
        var isInDoubt = false
        for index in held.indices.dropFirst()
        where held[index].distance - held[index - 1].distance <= 2 * SectionLine.error {
            isInDoubt = true
            // Candidates are measured below: a distance that changed now would be compared with a neighbour's estimate.
            held[index - 1].isInDoubt = true
            held[index].isInDoubt = true
        }
        if isInDoubt {
            for index in held.indices where held[index].isInDoubt && held[index].isEstimate { measure(&held[index]) }
            sort()
        }
        rivals = 0
    }

    /// All held candidates and the rivals. There are rivals only if `limit` candidates are held, so that both adjoin.
    private var held: UnsafeMutableBufferPointer<Candidate> {
        UnsafeMutableBufferPointer(rebasing: storage[0..<count + rivals])
    }

    private func sort() {
        var held = held
        guard held.count <= Self.fewToSort else {
            held.sort(by: isBefore)
            return
        }
        // Insertion sort, which is faster than the library's sort for pages of the usual size.
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
