// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The distribution of the intended times in an open loop. The intended times do not depend on the service.
public enum Arrival: String, Codable, Hashable, Sendable, CaseIterable {
    /// At even intervals.
    case constant
    /// At random intervals from the exponential distribution, as if independent users made the requests.
    case poisson
}

/// The endless, ordered sequence of the intended times in an open loop, in nanoseconds since it began.
public struct Schedule: Sequence, IteratorProtocol, Sendable {
    private let interval: Double
    private let arrival: Arrival
    private var count: UInt64 = 0
    private var time: Double = 0
    private var random: SeededGenerator

    /// - Parameter rate: the number of operations per second, greater than 0.
    public init(rate: Double, arrival: Arrival, seed: UInt64) {
        interval = 1_000_000_000 / rate
        self.arrival = arrival
        random = SeededGenerator(seed: seed)
    }

    public mutating func next() -> UInt64? {
        switch arrival {
        case .constant:
            // Multiply instead of adding, so that rounding errors do not accumulate.
            time = Double(count) * interval
            count += 1
        case .poisson:
            time -= log(1 - random.unit()) * interval
        }
        return UInt64(time)
    }
}
