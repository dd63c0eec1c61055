// SPDX-License-Identifier: Apache-2.0

/// The figures of one run. Latencies are in microseconds.
public struct LoadFigures: Codable, Hashable, Sendable {
    public struct Latency: Codable, Hashable, Sendable {
        public var min: Double
        public var mean: Double
        public var p50: Double
        public var p90: Double
        public var p99: Double
        public var p99_9: Double
        public var p99_99: Double
        public var max: Double

        enum CodingKeys: String, CodingKey {
            case min, mean, p50, p90, p99
            case p99_9 = "p99.9"
            case p99_99 = "p99.99"
            case max
        }

        public init(_ latencies: Latencies) {
            func at(_ percentile: Double) -> Double { Double(latencies.at(percentile)) / 1_000 }
            min = at(0)
            mean = latencies.mean / 1_000
            (p50, p90, p99) = (at(50), at(90), at(99))
            (p99_9, p99_99, max) = (at(99.9), at(99.99), at(100))
        }
    }

    /// The messages of one receiver in a one-way test, including the warm-up.
    public struct Receiver: Codable, Hashable, Sendable {
        public var name: String
        public var received: UInt64
        /// The number of messages that were sent before it joined, if it joined late.
        public var missed: UInt64
        /// The number of messages that did not arrive although it had joined.
        public var lost: UInt64
    }

    /// The measured time of the run in seconds.
    public var seconds: Double
    /// The intended number of operations per second; nil in a closed loop.
    public var intendedRate: Double?
    public var sent: UInt64
    /// The number of operations that were answered, or of messages that were received.
    public var done: UInt64
    public var bytes: UInt64
    public var latency: Latency
    /// The number of operations sent more than a millisecond late. Their latency counts from the intended time.
    public var late: UInt64 = 0
    /// The number of operations that were not sent because too many were in flight or the generator was too far behind.
    public var skipped: UInt64 = 0
    /// The number of messages that did not arrive. `lost`, `repeats` and the number of reordered messages are nil if
    /// the test does not see messages arrive.
    public var lost: UInt64?
    public var repeats: UInt64?
    public var reorders: UInt64?
    /// The number of messages that arrived but belong to a different test.
    public var foreign: UInt64?
    /// The messages of each receiver; nil if the receivers do not differ.
    public var receivers: [Receiver]?
    /// The number of refusals and failures for each error code.
    public var errors: [String: UInt64] = [:]
    /// The CPU time of this process in seconds. If the sender and the receivers run in it, they are included.
    public var generatorCPU: Double = 0
    /// The share of the time in which the generator's thread was busy, from 0 to 1.
    public var generatorBusy: Double = 0
    /// The CPU time of the services in seconds; nil if they are not processes of this machine.
    public var servicesCPU: Double?
    /// The resident memory of the services at the end, in bytes; nil if they are not processes of this machine.
    public var servicesMemory: UInt64?

    enum CodingKeys: String, CodingKey {
        case seconds
        case intendedRate = "intended_rate"
        case sent, done, bytes
        case latency = "latency_us"
        case late, skipped, lost, repeats, reorders, foreign, receivers, errors
        case generatorCPU = "generator_cpu_s"
        case generatorBusy = "generator_busy"
        case servicesCPU = "services_cpu_s"
        case servicesMemory = "services_memory_bytes"
    }

    public init(seconds: Double, sent: UInt64, done: UInt64, bytes: UInt64, latency: Latencies) {
        (self.seconds, self.sent, self.done, self.bytes) = (seconds, sent, done, bytes)
        self.latency = Latency(latency)
    }

    /// The number of operations done per second.
    public var throughput: Double { seconds > 0 ? Double(done) / seconds : 0 }
    public var failures: UInt64 { errors.values.reduce(0, +) }
}
