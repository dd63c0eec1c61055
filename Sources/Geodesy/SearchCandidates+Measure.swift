// SPDX-License-Identifier: Apache-2.0

/// From chords to true distances, and to the order of the answer.
extension SearchCandidates {
    /// Measures all that is held and has no distance yet, puts it in order, and keeps the first `limit`.
    mutating func settle() {
        let held = held
        for index in held.indices where held[index].distance.isNaN { measure(&held[index]) }
        sort()
        rivals = 0
    }

    /// Gives what is held an estimate where one will do: where its error cannot change the order, and not in the last
    /// row.
    mutating func estimate() {
        let held = held
        guard !held.isEmpty else { return }
        let reach = SearchLimits.squaredUnits(ShortLine.reach - Cartesian.slack)
        let start = limits.query / Cartesian.unitsPerMetre
        for index in held.indices where held[index].distance.isNaN {
            guard held[index].chordSquared < reach else {
                measure(&held[index])
                continue
            }
            let end = Cartesian.position(of: view.coordinate(held[index].reference))
            held[index].distance = ShortLine.distance(from: start, to: end)
            held[index].isEstimate = true
        }
        sort()
        // Each has its true distance within one error: two that are more than two apart are in the right order.
        var previous = held[0].distance
        for index in held.indices.dropFirst() {
            let next = held[index].distance
            if next - previous <= 2 * ShortLine.error {
                if held[index - 1].isEstimate { measure(&held[index - 1]) }
                if held[index].isEstimate { measure(&held[index]) }
            }
            previous = next
        }
        sort()
        if held[count - 1].isEstimate { measure(&held[count - 1]) }
    }

    /// The heap and the rivals. There are rivals only when the heap is full, so they lie together.
    private var held: UnsafeMutableBufferPointer<Candidate> {
        UnsafeMutableBufferPointer(rebasing: storage[0..<count + rivals])
    }

    private func sort() {
        let view = view
        var held = held
        held.sort { left, right in
            left.distance == right.distance
                ? view.key(left.reference) < view.key(right.reference) : left.distance < right.distance
        }
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
