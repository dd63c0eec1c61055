// SPDX-License-Identifier: Apache-2.0

/// Chooses an index at random by weights.
public struct WeightedChoice: Sendable {
    /// The cumulative sums of the weights as shares of their total, up to 1.
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

    /// - Parameter drawn: a random number, uniformly distributed from 0 up to, but not including, 1.
    /// - Returns: the index of the chosen weight.
    public func place(_ drawn: Double) -> Int {
        sums.dropLast().firstIndex { $0 > drawn } ?? sums.count - 1
    }
}
