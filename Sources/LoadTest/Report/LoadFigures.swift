// SPDX-License-Identifier: Apache-2.0

/// What one run came to. Times are in microseconds.
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

    /// Seconds that were measured.
    public var seconds: Double
    /// Operations a second that were meant; nil in a closed loop.
    public var intendedRate: Double?
    public var sent: UInt64
    /// Operations that were done: answered, or received.
    public var done: UInt64
    public var bytes: UInt64
    public var latency: Latency
    /// Sent more than a millisecond after the intended time. They are counted in the latency from that time on.
    public var late: UInt64 = 0
    /// Not sent, because too much was under way already.
    public var skipped: UInt64 = 0
    /// Counted where messages arrive; nil, as are the two below, where nobody sees that.
    public var lost: UInt64?
    public var repeats: UInt64?
    public var reorders: UInt64?
    /// Messages that arrived and were not of this test.
    public var foreign: UInt64?
    /// Refusals and failures by the name of their code.
    public var errors: [String: UInt64] = [:]
    /// Seconds of CPU time of this process, both ends included where they are in it.
    public var generatorCPU: Double = 0
    /// What part of the time the generator's thread had something to do.
    public var generatorBusy: Double = 0
    /// Of the services, where they are on this machine.
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

    /// Operations done in a second.
    public var throughput: Double { seconds > 0 ? Double(done) / seconds : 0 }
    public var failures: UInt64 { errors.values.reduce(0, +) }
}
