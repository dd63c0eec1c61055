// SPDX-License-Identifier: Apache-2.0

import LoadTest

/// Adds up the seconds of a run that several workers tell, each at its own time.
struct SharedSeconds {
    /// The most seconds that are kept of a worker.
    private static let most = 100_000
    private var told: [[Tally.Second]]
    private var hasEnded: [Bool]
    private var count = 0

    init(workers: Int) {
        (told, hasEnded) = (Array(repeating: [], count: workers), Array(repeating: false, count: workers))
    }

    mutating func add(_ second: Tally.Second, of worker: Int) {
        if told[worker].count < Self.most { told[worker].append(second.bounded) }
    }

    /// Waits no more for a worker whose run is over, or which is lost.
    mutating func end(_ worker: Int) { hasEnded[worker] = true }

    /// Returns the sum of the next second that all workers have told, with its number from 1; nil if there is none yet.
    mutating func next() -> (number: Int, second: Tally.Second)? {
        guard zip(told, hasEnded).allSatisfy({ $0.count > count || $1 }) else { return nil }
        let seconds = told.filter { $0.count > count }.map { $0[count] }
        guard var sum = seconds.first else { return nil }
        for second in seconds.dropFirst() { sum.add(second) }
        count += 1
        return (count, sum)
    }

    /// The number of operations that a worker has told.
    func done(_ worker: Int) -> UInt64 { told[worker].reduce(0) { $0 &+ $1.done } }
}
