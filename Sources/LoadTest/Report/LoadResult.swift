// SPDX-License-Identifier: Apache-2.0

/// One run as it was counted.
public struct LoadResult: Sendable {
    public var figures: LoadFigures
    /// With all latencies and each second.
    public var tally: Tally
    /// What it was made of, where that is counted by itself.
    public var parts: [Part] = []
    /// Of a request, on the average; nil where that is not counted.
    public var requestBytes: Int?

    public struct Part: Sendable {
        public var label: String
        public var figures: LoadFigures
        public var tally: Tally

        public init(label: String, figures: LoadFigures, tally: Tally) {
            (self.label, self.figures, self.tally) = (label, figures, tally)
        }
    }

    public init(figures: LoadFigures, tally: Tally) {
        (self.figures, self.tally) = (figures, tally)
    }

    /// - Parameter parts: what the parts of the load are called.
    public init(_ outcome: RequestGenerator.Outcome, _ shape: LoadShape, parts: [String] = []) {
        tally = outcome.tally
        figures = tally.figures(outcome.seconds, intendedRate: shape.rate)
        figures.generatorBusy = outcome.busy
        self.parts = zip(parts, outcome.parts).map { label, tally in
            Part(label: label, figures: tally.figures(outcome.seconds, intendedRate: nil), tally: tally)
        }
    }
}
