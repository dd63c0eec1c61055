// SPDX-License-Identifier: Apache-2.0

/// Keeps the held candidates arranged so that the one with the longest chord is found at once.
///
/// If the candidates are few, they are kept sorted by chord. The walk visits near points first, so that insertion moves
/// few of them, and at the end they are almost in the order of distance. For many candidates insertion would cost the
/// square of their number, so they form a heap with the longest chord on top.
extension SearchCandidates {
    static let mostInOrder = 128

    /// Restores the sorted order, or the heap, whatever the present order is.
    func arrange() {
        if areInOrder { return storage[0..<count].sort { $0.chordSquared < $1.chordSquared } }
        for index in stride(from: count / 2 - 1, through: 0, by: -1) { siftDown(from: index) }
    }

    /// Inserts a candidate into the sorted list. `count` already includes it, and the last element is free.
    @inline(__always)
    func putInOrder(_ candidate: Candidate) {
        var place = count - 1
        while place > 0, storage[place - 1].chordSquared > candidate.chordSquared {
            storage[place] = storage[place - 1]
            place -= 1
        }
        storage[place] = candidate
    }

    /// Moves the last candidate of the heap up to where it belongs.
    func siftUp() {
        var child = count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard storage[parent].chordSquared < storage[child].chordSquared else { return }
            storage.swapAt(parent, child)
            child = parent
        }
    }

    func siftDown(from start: Int) {
        var parent = start
        while true {
            var child = 2 * parent + 1
            guard child < count else { return }
            if child + 1 < count, storage[child].chordSquared < storage[child + 1].chordSquared { child += 1 }
            guard storage[parent].chordSquared < storage[child].chordSquared else { return }
            storage.swapAt(parent, child)
            parent = child
        }
    }
}
