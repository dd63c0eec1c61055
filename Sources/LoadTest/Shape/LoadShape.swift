// SPDX-License-Identifier: Apache-2.0

/// How load is offered, for any kind of operation.
public struct LoadShape: Codable, Hashable, Sendable {
    /// What decides when the next operation begins.
    public enum Loop: Codable, Hashable, Sendable {
        /// An answer: each client keeps `window` operations under way. A slow service is asked less, so its worst times
        /// are met less often than users would meet them: the figures show what it can do, not what users wait.
        case closed(window: Int)
        /// The clock: `rate` operations a second from all clients together. Latency counts from the intended time, so
        /// an operation that had to wait for its turn to be sent has waited (no coordinated omission).
        case open(rate: Double, arrival: Arrival)
    }

    /// When a run ends.
    public enum End: Codable, Hashable, Sendable {
        case duration(seconds: Double)
        case count(Int)
    }

    /// Open loop: nanoseconds after the end in which what was meant before it is still sent. The rest is skipped.
    static let grace: UInt64 = 1_000_000_000

    public var loop: Loop
    /// Connections, each of its own.
    public var clients: Int
    public var end: End
    /// Seconds whose operations are done and not counted.
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

    /// When the warm-up of a run is over that begins then; both on ``NanoClock``.
    public func counting(from begun: UInt64) -> UInt64 { begun + UInt64(warmUp * 1e9) }

    /// When a run ends that counts from then, and how many operations are the most.
    public func limits(countingFrom time: UInt64) -> (end: UInt64, most: UInt64) {
        switch end {
        case .duration(let seconds): (time + UInt64(seconds * 1e9), .max)
        case .count(let count): (.max, UInt64(count))
        }
    }

    /// Operations a second that are meant to be sent; nil in a closed loop.
    public var rate: Double? {
        guard case .open(let rate, _) = loop else { return nil }
        return rate
    }
}
