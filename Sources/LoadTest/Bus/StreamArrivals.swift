// SPDX-License-Identifier: Apache-2.0

/// What the receivers of a one-way test received.
public struct StreamArrivals: Sendable {
    public var tally: Tally
    /// One for each receiver.
    public var ledgers: [SequenceLedger]
    /// Messages that have an order of their own and arrived out of it.
    public var reorders: UInt64
    /// Messages that belong to another test, which are not counted.
    public var foreign: UInt64
    /// From the end of the warm-up to the last message that was counted.
    public var seconds: Double
    /// The share of that time in which the receivers' thread was busy, 0 to 1.
    public var busy: Double

    /// The figures of the whole test, both ends together. Messages may take longer to arrive than to be sent, so the
    /// longer of the two times counts.
    ///
    /// - Parameters:
    ///   - sentSeconds: how long the sending end sent.
    ///   - sentBusy: the share of its time in which the sending end was busy, 0 to 1.
    ///   - intendedRate: messages a second for all receivers together; nil in a closed loop.
    public func figures(_ tally: Tally, sentSeconds: Double, sentBusy: Double, intendedRate: Double?) -> LoadFigures {
        var figures = tally.figures(max(sentSeconds, seconds), intendedRate: intendedRate)
        figures.repeats = ledgers.reduce(0) { $0 + $1.repeats }
        figures.foreign = foreign
        figures.generatorBusy = max(sentBusy, busy)
        return figures
    }
}
