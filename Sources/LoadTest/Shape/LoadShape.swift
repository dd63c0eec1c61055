// SPDX-License-Identifier: Apache-2.0

/// The shape of the offered load, for any kind of operation.
public struct LoadShape: Codable, Hashable, Sendable {
    /// The event that starts the next operation.
    public enum Loop: Codable, Hashable, Sendable {
        /// An answer: each client keeps `window` operations under way. A slow service gets fewer requests, so its worst
        /// times are met less often than users would meet them: the figures show the service's capacity, not the users'
        /// waiting times.
        case closed(window: Int)
        /// The clock: `rate` operations a second from all clients together. Latency counts from the intended time, so
        /// an operation that had to wait for its turn to be sent has waited (no coordinated omission).
        case open(rate: Double, arrival: Arrival)
    }

    /// The end of a run.
    public enum End: Codable, Hashable, Sendable {
        case duration(seconds: Double)
        case count(Int)
    }

    /// Open loop only: nanoseconds after the end in which overdue operations are still sent. The rest is skipped.
    static let grace: UInt64 = 1_000_000_000

    public var loop: Loop
    /// The number of clients, each with its own connection.
    public var clients: Int
    public var end: End
    /// The seconds at the beginning whose operations are sent but not counted.
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

    /// The end of the warm-up for a run that begins at `begun`; both on ``NanoClock``.
    public func counting(from begun: UInt64) -> UInt64 { begun + UInt64(warmUp * 1e9) }

    /// The end of a run that counts from `time`, and the most operations.
    public func limits(countingFrom time: UInt64) -> (end: UInt64, most: UInt64) {
        switch end {
        case .duration(let seconds): (time + UInt64(seconds * 1e9), .max)
        case .count(let count): (.max, UInt64(count))
        }
    }

    /// The intended operations a second; nil in a closed loop.
    public var rate: Double? {
        guard case .open(let rate, _) = loop else { return nil }
        return rate
    }
}
