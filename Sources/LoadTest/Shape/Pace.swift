// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The source of an open loop's intended times.
public enum Pace: Codable, Hashable, Sendable {
    /// So many operations per second, greater than 0.
    case rate(Double)
    case profile(LoadProfile)
    /// The times of a recorded run.
    case recording(LoadRecording)

    /// The integral of the rate from 0 to a time in seconds.
    public func operations(until seconds: Double) -> Double {
        switch self {
        case .rate(let rate): max(0, seconds) * rate
        case .profile(let profile): profile.operations(until: seconds)
        case .recording(let recording): recording.operations(until: seconds)
        }
    }

    /// Returns the intended time of the operation with this index, in seconds; infinite if there is no such operation.
    /// The inverse of ``operations(until:)``.
    public func time(of operations: Double) -> Double {
        switch self {
        case .rate(let rate): operations / rate
        case .profile(let profile): profile.time(of: operations)
        case .recording(let recording): recording.time(of: operations)
        }
    }

    /// The time in seconds after which nothing is due any more; nil if there is no such time.
    public var seconds: Double? {
        switch self {
        case .rate: nil
        case .profile(let profile): profile.seconds
        case .recording(let recording): recording.seconds
        }
    }

    /// The mean number of operations per second.
    public var meanRate: Double {
        switch self {
        case .rate(let rate): rate
        case .profile(let profile): profile.operations / profile.seconds
        case .recording(let recording): Double(recording.count) / recording.seconds
        }
    }

    /// The number of operations per second in the warm-up. A recording of a moment may have any mean rate.
    var firstRate: Double {
        guard case .profile(let profile) = self else { return min(meanRate, LoadProfile.highestRate) }
        return profile.parts[0].from * profile.share
    }

    /// Returns the number of operations in a warm-up at even intervals, the first after the phase, a share of one.
    func operations(warmUp seconds: Double, phase: Double = 0) -> Double {
        // Rounding must not add one.
        max(0, (firstRate * seconds - phase - 1e-6).rounded(.up))
    }

    /// - Returns: the operations of one of `count` generators, which together have those of this pace.
    func divided(_ part: Int, of count: Int) -> Pace {
        switch self {
        case .rate(let rate): .rate(rate / Double(count))
        case .profile(let profile): .profile(profile.divided(by: count))
        case .recording(let recording): .recording(recording.divided(part, of: count))
        }
    }
}

/// The endless, ordered sequence of the intended times in an open loop, in nanoseconds since the warm-up began.
///
/// The time of an operation is the inverse of the integral of the rate, at the operation's index, or at a sum of random
/// numbers from the exponential distribution. The warm-up has the pace's first rate; the pace begins after it.
public struct Schedule: Sequence, IteratorProtocol, Sendable {
    /// The time of operations after the end of the pace: centuries from now.
    static let never: UInt64 = 1 << 62

    private let pace: Pace
    private let arrival: Arrival
    private let firstRate: Double
    private let phase: Double
    /// The time of the warm-up in nanoseconds, and the number of its operations.
    private let warmUp: (time: UInt64, operations: Double)
    private var count: UInt64 = 0
    private var sum = 0.0
    private var random: SeededGenerator

    /// - Parameters:
    ///   - seconds: the time of the warm-up, before the pace begins.
    ///   - phase: the share of an interval after which constant arrivals begin.
    public init(_ pace: Pace, arrival: Arrival, warmUp seconds: Double = 0, seed: UInt64, phase: Double = 0) {
        (self.pace, self.arrival, firstRate) = (pace, arrival, pace.firstRate)
        self.phase = arrival == .constant ? phase : 0
        let operations = arrival == .constant ? pace.operations(warmUp: seconds, phase: phase) : firstRate * seconds
        warmUp = (UInt64(seconds * 1e9), operations)
        random = SeededGenerator(seed: seed)
    }

    /// Makes the schedule of an open loop; nil for a closed one.
    public init?(_ shape: LoadShape) {
        guard case .open(let pace, let arrival) = shape.loop else { return nil }
        self.init(pace, arrival: arrival, warmUp: shape.warmUp, seed: shape.seed, phase: shape.phase ?? 0)
    }

    public mutating func next() -> UInt64? {
        switch arrival {
        case .constant:
            // Count instead of adding intervals, so that rounding errors do not accumulate.
            sum = Double(count)
            count += 1
        case .poisson: sum -= log(1 - random.unit())
        }
        guard sum >= warmUp.operations else { return UInt64((sum + phase) / firstRate * 1e9) }
        let seconds = pace.time(of: sum + phase - warmUp.operations)
        return seconds < 1e9 ? warmUp.time + UInt64((seconds * 1e9).rounded()) : Self.never
    }
}
