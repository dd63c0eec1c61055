// SPDX-License-Identifier: Apache-2.0

/// One run as it was counted.
public struct LoadResult: Sendable {
    public var figures: LoadFigures
    /// With all latencies and each second.
    public var tally: Tally

    public init(figures: LoadFigures, tally: Tally) {
        (self.figures, self.tally) = (figures, tally)
    }

    public init(_ outcome: RequestGenerator.Outcome, _ shape: LoadShape) {
        tally = outcome.tally
        figures = tally.figures(outcome.seconds, intendedRate: shape.rate)
        figures.generatorBusy = outcome.busy
    }
}
