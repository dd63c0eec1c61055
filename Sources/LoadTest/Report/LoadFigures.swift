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

    public var throughput: Double { seconds > 0 ? Double(done) / seconds : 0 }
    public var failures: UInt64 { errors.values.reduce(0, +) }
}

/// The figures of one run, and the counts from which they were computed.
public struct LoadResult: Sendable {
    /// The name of the kind of operation, or of the part of the profile; empty for all operations of the run.
    public var name: String
    /// The number of the profile's part, from 1; nil for a kind of operation, and for all operations.
    public var number: Int?
    public var figures: LoadFigures
    /// All latencies, and the figures of each second.
    public var tally: Tally
    /// The results for each kind of operation in a mixed load, if they are counted separately, and for each part of a
    /// profile, by the intended times of the operations.
    public var parts: [LoadResult] = []
    /// The average size of a request in bytes; nil if it is not counted.
    public var requestBytes: Int?

    /// - Parameters:
    ///   - seconds: the measured time in seconds.
    ///   - rate: the intended number of operations per second; nil in a closed loop.
    public init(_ tally: Tally, seconds: Double, rate: Double? = nil, name: String = "", number: Int? = nil) {
        (self.tally, self.name, self.number) = (tally, name, number)
        figures = LoadFigures(
            seconds: seconds, sent: tally.sent, done: tally.done, bytes: tally.bytes, latency: tally.latencies)
        figures.intendedRate = rate
        (figures.late, figures.skipped, figures.errors) = (tally.late, tally.skipped, tally.errors)
    }
}

extension LoadResult {
    /// Adds up the results of generators that ran at the same time in other programs, each with its own clock.
    ///
    /// Counts add up, in seconds and buckets, too. The longest time counts, and of each second the worst percentiles.
    ///
    /// - Parameters:
    ///   - reports: for each generator the run that counts everything, and the runs of its parts.
    ///   - count: the number of generators that should have reported. The intended rate is that of all.
    public init(merging reports: [[LoadReport.Run]], of count: Int) {
        self.init(wholes: reports.compactMap(\.first), of: count)
        for place in reports.first?.indices.dropFirst() ?? 0..<0 {
            let runs = reports.compactMap { $0.indices.contains(place) ? $0[place] : nil }
            let isPlain = runs[0].label.unicodeScalars.allSatisfy { (0x20...0x7e).contains($0.value) }
            var part = LoadResult(wholes: runs, of: count)
            (part.name, part.number) = (isPlain ? runs[0].label : "part \(place)", runs[0].partNumber)
            parts.append(part)
        }
    }

    private init(wholes runs: [LoadReport.Run], of count: Int) {
        let all = runs.map(\.figures)
        var tally = Tally(from: .max)
        for run in runs { tally.add(Tally(of: run)) }
        // Figures come from other programs. Within these bounds, whatever is computed from them can be printed.
        func bounded(_ number: Double) -> Double { min(max(0, number), 1e10) }
        let rates = all.compactMap(\.intendedRate).map(bounded)
        self.init(
            tally, seconds: all.map { min(max(1e-5, $0.seconds), 1e7) }.max() ?? 0,
            rate: rates.isEmpty ? nil : rates.reduce(0, +) * Double(count) / Double(rates.count))
        func sum(_ count: (LoadFigures) -> UInt64?) -> UInt64? {
            let known = all.compactMap(count)
            return known.isEmpty ? nil : known.reduce(0) { $0 + min($1, Tally.greatest) }
        }
        (figures.lost, figures.repeats, figures.reorders) = (sum(\.lost), sum(\.repeats), sum(\.reorders))
        // The messages that are foreign to one generator are another's: `foreign` stays unknown.
        if tally.done > 0 {
            let sums = all.map { bounded($0.latency.mean) * Double(min($0.done, Tally.greatest)) }
            figures.latency.mean = sums.reduce(0, +) / Double(tally.done)
        }
        figures.generatorCPU = all.reduce(0) { $0 + bounded($1.generatorCPU) }
        figures.generatorBusy = min(1, all.map { bounded($0.generatorBusy) }.max() ?? 0)
    }
}
