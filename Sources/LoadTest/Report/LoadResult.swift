// SPDX-License-Identifier: Apache-2.0

/// The figures of one run, and the counts from which they were computed.
public struct LoadResult: Sendable {
    /// The result of some of the operations, which are also counted in the whole.
    public struct Part: Sendable {
        /// The name of the kind of operation, or of the part of the profile.
        public var name: String
        public var result: LoadResult
        /// The number of the profile's part, from 1; nil for a kind of operation.
        public var number: Int?

        public init(_ name: String, _ result: LoadResult, number: Int? = nil) {
            (self.name, self.result, self.number) = (name, result, number)
        }
    }

    public var figures: LoadFigures
    /// All latencies, and the figures of each second.
    public var tally: Tally
    /// The results for each kind of operation in a mixed load, if they are counted separately, and for each part of a
    /// profile, by the intended times of the operations.
    public var parts: [Part] = []
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
