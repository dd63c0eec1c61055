// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The distribution of an open loop's intended times, which is independent of the service.
public enum Arrival: String, Codable, Hashable, Sendable, CaseIterable {
    /// At even intervals.
    case constant
    /// At random: each interval is drawn from the exponential distribution, as for independent users.
    case poisson
}

/// The intended times of an open loop, in nanoseconds since it began, in order and without an end.
public struct Schedule: Sequence, IteratorProtocol, Sendable {
    private let interval: Double
    private let arrival: Arrival
    private var count: UInt64 = 0
    private var time: Double = 0
    private var random: SeededGenerator

    /// - Parameter rate: operations a second; more than 0.
    public init(rate: Double, arrival: Arrival, seed: UInt64) {
        interval = 1_000_000_000 / rate
        self.arrival = arrival
        random = SeededGenerator(seed: seed)
    }

    public mutating func next() -> UInt64? {
        switch arrival {
        case .constant:
            // Multiply instead of adding, so that no error accumulates.
            time = Double(count) * interval
            count += 1
        case .poisson:
            time -= log(1 - random.unit()) * interval
        }
        return UInt64(time)
    }
}
