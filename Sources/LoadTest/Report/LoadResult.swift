// SPDX-License-Identifier: Apache-2.0

/// The figures of one run, with all that was counted.
public struct LoadResult: Sendable {
    public var figures: LoadFigures
    /// All latencies, and the figures of each second.
    public var tally: Tally
    /// The parts of a mixed load, where they are counted separately.
    public var parts: [(label: String, result: LoadResult)] = []
    /// The average size of a request; nil where that is not counted.
    public var requestBytes: Int?

    public init(figures: LoadFigures, tally: Tally) {
        (self.figures, self.tally) = (figures, tally)
    }

    /// - Parameter parts: the names of the parts of the load.
    public init(_ outcome: RequestGenerator.Outcome, _ shape: LoadShape, parts: [String] = []) {
        tally = outcome.tally
        figures = tally.figures(outcome.seconds, intendedRate: shape.rate)
        figures.generatorBusy = outcome.busy
        self.parts = zip(parts, outcome.parts).map { label, tally in
            (label, LoadResult(figures: tally.figures(outcome.seconds, intendedRate: nil), tally: tally))
        }
    }
}
