// SPDX-License-Identifier: Apache-2.0

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
    /// Counts add up, also those of each second and of each bucket of the histograms. The longest time counts, and of
    /// each second the worst percentiles.
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
