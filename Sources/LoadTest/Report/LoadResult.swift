// SPDX-License-Identifier: Apache-2.0

/// The figures of one run, and the counts from which they were computed.
public struct LoadResult: Sendable {
    public var figures: LoadFigures
    /// All latencies, and the figures of each second.
    public var tally: Tally
    /// The results for each kind of operation in a mixed load, if they are counted separately.
    public var parts: [(label: String, result: LoadResult)] = []
    /// The average size of a request in bytes; nil if it is not counted.
    public var requestBytes: Int?

    /// - Parameters:
    ///   - seconds: the measured time in seconds.
    ///   - rate: the intended number of operations per second; nil in a closed loop.
    public init(_ tally: Tally, seconds: Double, rate: Double? = nil) {
        self.tally = tally
        figures = LoadFigures(
            seconds: seconds, sent: tally.sent, done: tally.done, bytes: tally.bytes, latency: tally.latencies)
        figures.intendedRate = rate
        (figures.late, figures.skipped, figures.errors) = (tally.late, tally.skipped, tally.errors)
    }
}
