// SPDX-License-Identifier: Apache-2.0

/// The figures of one run. Times are in microseconds.
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

    /// The measured time in seconds.
    public var seconds: Double
    /// The intended operations a second; nil in a closed loop.
    public var intendedRate: Double?
    public var sent: UInt64
    /// The number of operations done: answered, or received.
    public var done: UInt64
    public var bytes: UInt64
    public var latency: Latency
    /// The number of operations sent more than a millisecond late. Their latency counts from the intended time.
    public var late: UInt64 = 0
    /// The number of operations not sent: too many were in flight, or the generator was too far behind.
    public var skipped: UInt64 = 0
    /// The number of messages that did not arrive. This and the next two are nil if the test does not see messages
    /// arrive.
    public var lost: UInt64?
    public var repeats: UInt64?
    public var reorders: UInt64?
    /// The number of messages that arrived and belong to another test.
    public var foreign: UInt64?
    /// The number of refusals and failures, by the name of their code.
    public var errors: [String: UInt64] = [:]
    /// Seconds of CPU time of this process, with both ends if they run in it.
    public var generatorCPU: Double = 0
    /// The share of the time in which the generator's thread was busy, 0 to 1.
    public var generatorBusy: Double = 0
    /// Seconds of CPU time of the services, if they run on this machine.
    public var servicesCPU: Double?
    /// Resident memory of the services at the end, in bytes.
    public var servicesMemory: UInt64?

    enum CodingKeys: String, CodingKey {
        case seconds
        case intendedRate = "intended_rate"
        case sent, done, bytes
        case latency = "latency_us"
        case late, skipped, lost, repeats, reorders, foreign, errors
        case generatorCPU = "generator_cpu_s"
        case generatorBusy = "generator_busy"
        case servicesCPU = "services_cpu_s"
        case servicesMemory = "services_memory_bytes"
    }

    public init(seconds: Double, sent: UInt64, done: UInt64, bytes: UInt64, latency: Latencies) {
        (self.seconds, self.sent, self.done, self.bytes) = (seconds, sent, done, bytes)
        self.latency = Latency(latency)
    }

    /// Operations done per second.
    public var throughput: Double { seconds > 0 ? Double(done) / seconds : 0 }
    public var failures: UInt64 { errors.values.reduce(0, +) }
}
