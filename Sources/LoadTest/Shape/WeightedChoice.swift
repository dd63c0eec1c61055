// SPDX-License-Identifier: Apache-2.0

/// Chooses among things that have weights.
public struct WeightedChoice: Sendable {
    /// The weights added up, as shares of all of them: up to 1.
    private let sums: [Double]

    /// - Parameter weights: at least one; each greater than 0.
    public init(_ weights: [Double]) {
        let all = weights.reduce(0, +)
        var sum = 0.0
        sums = weights.map { weight in
            sum += weight / all
            return sum
        }
    }

    /// - Parameter drawn: evenly from 0 up to, and without, 1.
    /// - Returns: the place of one of the weights.
    public func place(_ drawn: Double) -> Int {
        sums.dropLast().firstIndex { $0 > drawn } ?? sums.count - 1
    }
}
