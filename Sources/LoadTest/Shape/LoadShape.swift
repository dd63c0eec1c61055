// SPDX-License-Identifier: Apache-2.0

/// The shape of the load, for any kind of operation: how many clients send how much for how long.
public struct LoadShape: Codable, Hashable, Sendable {
    /// The event that starts the next operation.
    public enum Loop: Codable, Hashable, Sendable {
        /// An answer starts the next operation: each client keeps `window` operations in flight. A slow service gets
        /// fewer requests, so its worst times are measured less often than users would experience them. Therefore the
        /// figures show the capacity of the service, not the waiting times of its users.
        case closed(window: Int)
        /// The clock starts the next operation: all clients together send `rate` operations per second. Latency counts
        /// from the intended time, so it includes the time that an operation waited to be sent (no coordinated
        /// omission).
        case open(rate: Double, arrival: Arrival)
    }

    /// The condition that ends a run.
    public enum End: Codable, Hashable, Sendable {
        case duration(seconds: Double)
        case count(Int)
    }

    /// Open loop only: the nanoseconds after the end in which overdue operations are still sent. Then the rest is
    /// skipped.
    static let grace: UInt64 = 1_000_000_000

    public var loop: Loop
    /// The number of clients, each with its own connection.
    public var clients: Int
    public var end: End
    /// The number of seconds at the beginning in which operations are sent but not counted.
    public var warmUp: Double
    public var seed: UInt64

    enum CodingKeys: String, CodingKey {
        case loop, clients, end
        case warmUp = "warm_up_s"
        case seed
    }

    public init(loop: Loop, clients: Int = 1, end: End = .duration(seconds: 10), warmUp: Double = 1, seed: UInt64 = 1) {
        (self.loop, self.clients, self.end, self.warmUp, self.seed) = (loop, clients, end, warmUp, seed)
    }

    /// Returns the end of the warm-up of a run that begins at `begun`. Both times are on ``NanoClock``.
    public func counting(from begun: UInt64) -> UInt64 { begun + UInt64(warmUp * 1e9) }

    /// Returns the end of a run that counts from `time`, and the maximum number of counted operations.
    public func limits(countingFrom time: UInt64) -> (end: UInt64, most: UInt64) {
        switch end {
        case .duration(let seconds): (time + UInt64(seconds * 1e9), .max)
        case .count(let count): (.max, UInt64(count))
        }
    }

    /// The intended number of operations per second; nil in a closed loop.
    public var rate: Double? {
        guard case .open(let rate, _) = loop else { return nil }
        return rate
    }
}
