// SPDX-License-Identifier: Apache-2.0

/// The shape of the load, for any kind of operation: how many clients send how much for how long.
public struct LoadShape: Codable, Hashable, Sendable {
    /// The event that starts the next operation.
    public enum Loop: Codable, Hashable, Sendable {
        /// An answer starts the next operation: each client keeps `window` operations in flight. A slow service gets
        /// fewer requests, so its worst times are measured less often than users would experience them. Therefore the
        /// figures show the capacity of the service, not the waiting times of its users.
        case closed(window: Int)
        /// The clock starts the next operation: all clients together send at the times of the pace. Latency counts from
        /// the intended time, so it includes the time that an operation waited to be sent (no coordinated omission).
        case open(Pace, arrival: Arrival)
    }

    /// The condition that ends a run.
    public enum End: Codable, Hashable, Sendable {
        case duration(seconds: Double)
        case count(Int)
    }

    /// Open loop only: the nanoseconds after the end in which overdue operations are still sent and not yet skipped.
    static let grace: UInt64 = 1_000_000_000

    public var loop: Loop
    /// The number of clients, each with its own connection.
    public var clients: Int
    public var end: End
    /// The number of seconds at the beginning in which operations are sent but not counted.
    public var warmUp: Double
    public var seed: UInt64
    /// The share of an interval after which constant arrivals begin; nil for 0. One of several generators has its own,
    /// because together they would otherwise send in bursts.
    public private(set) var phase: Double?

    enum CodingKeys: String, CodingKey {
        case loop, clients, end
        case warmUp = "warm_up_s"
        case seed, phase
    }

    public init(loop: Loop, clients: Int = 1, end: End = .duration(seconds: 10), warmUp: Double = 1, seed: UInt64 = 1) {
        (self.loop, self.clients, self.end, self.warmUp, self.seed) = (loop, clients, end, warmUp, seed)
    }

    /// Returns the end of the warm-up of a run that begins at `begun`. Both times are on ``NanoClock``.
    public func counting(from begun: UInt64) -> UInt64 { begun + UInt64(warmUp * 1e9) }

    /// Returns the end of a run that counts from `time`, also that of its pace, and the maximum of counted operations.
    public func limits(countingFrom time: UInt64) -> (end: UInt64, most: UInt64) {
        var (longest, most) = (pace?.seconds ?? .infinity, UInt64.max)
        switch end {
        case .duration(let seconds): longest = min(longest, seconds)
        case .count(let count): most = UInt64(max(0, count))
        }
        return (longest < .infinity ? time + UInt64((longest * 1e9).rounded()) : .max, most)
    }

    /// The source of the intended times; nil in a closed loop.
    public var pace: Pace? {
        guard case .open(let pace, _) = loop else { return nil }
        return pace
    }

    public var profile: LoadProfile? {
        guard case .profile(let profile) = pace else { return nil }
        return profile
    }

    /// The intended number of operations per second, on average; nil in a closed loop.
    public var rate: Double? { pace?.meanRate }
    var unseeded: LoadShape { LoadShape(loop: loop, clients: clients, end: end, warmUp: warmUp, seed: 0) }

    /// Returns the load of one of `count` generators, which together have this load. Each has at least one client.
    ///
    /// - Parameter part: the index of the generator, from 0.
    public func divided(_ part: Int, of count: Int) -> LoadShape {
        func share(_ whole: Int) -> Int { whole / count + (part < whole % count ? 1 : 0) }
        var shape = self
        shape.clients = max(1, share(clients))
        if case .count(let all) = end { shape.end = .count(share(all)) }
        if case .open(let pace, let arrival) = loop {
            shape.loop = .open(pace.divided(part, of: count), arrival: arrival)
            if case .recording = pace {} else { shape.phase = ((phase ?? 0) + Double(part)) / Double(count) }
        }
        // Equal random times would make all generators send at once.
        shape.seed &+= UInt64(truncatingIfNeeded: part) &* 0x9e37_79b9_7f4a_7c15
        return shape
    }
}

/// The distribution of the intended times in an open loop. The intended times do not depend on the service.
public enum Arrival: String, Codable, Hashable, Sendable, CaseIterable {
    /// At even intervals.
    case constant
    /// At random intervals from the exponential distribution, as if independent users made the requests.
    case poisson
}
