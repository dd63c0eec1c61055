// SPDX-License-Identifier: Apache-2.0

/// What came to the receivers of a test one way.
public struct StreamArrivals: Sendable {
    public var tally: Tally
    /// One for each receiver.
    public var ledgers: [SequenceLedger]
    /// Messages that came against the order that they have of their own.
    public var reorders: UInt64
    /// Messages that were not of this test, and were not counted.
    public var foreign: UInt64
    /// From the end of the warm-up to the last message that was counted.
    public var seconds: Double
    /// What part of that time the receivers' thread had something to do.
    public var busy: Double

    /// Figures of the whole test, both ends together. What was sent in a second may take longer to arrive, so the time
    /// that counts is that of whichever was busy longer.
    ///
    /// - Parameters:
    ///   - sentSeconds, sentBusy: of the sending end.
    ///   - intendedRate: of all receivers together; nil in a closed loop.
    public func figures(_ tally: Tally, sentSeconds: Double, sentBusy: Double, intendedRate: Double?) -> LoadFigures {
        var figures = tally.figures(max(sentSeconds, seconds), intendedRate: intendedRate)
        figures.repeats = ledgers.reduce(0) { $0 + $1.repeats }
        figures.foreign = foreign
        figures.generatorBusy = max(sentBusy, busy)
        return figures
    }
}
