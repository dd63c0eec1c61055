// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A generator whose random numbers for a seed are the same on every machine: SplitMix64 (Steele, Lea, Flood: "Fast
/// splittable pseudorandom number generators", OOPSLA 2014).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }

    /// Returns a random number from 0 up to, but not including, 1.
    public mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns a random number from the standard normal distribution (Box and Muller, 1958).
    public mutating func normal() -> Double {
        let radius = (-2 * log(1 - unit())).squareRoot()
        return radius * cos(2 * .pi * unit())
    }
}

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
    public func place(_ drawn: Double) -> Int { sums.dropLast().firstIndex { $0 > drawn } ?? sums.count - 1 }
}
