// SPDX-License-Identifier: Apache-2.0

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
