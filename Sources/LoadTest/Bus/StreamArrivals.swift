// SPDX-License-Identifier: Apache-2.0

/// The messages that the receivers of a one-way test received.
public struct StreamArrivals: Sendable {
    public var tally: Tally
    /// The ledgers, one for each receiver.
    public var ledgers: [SequenceLedger]
    /// The number of messages that arrived out of the order of ``StreamArrival/order``, if they have one.
    public var reorders: UInt64
    /// The number of messages that belong to another test, which are not counted.
    public var foreign: UInt64
    /// The time from the end of the warm-up to the last counted message, in seconds.
    public var seconds: Double
    /// The share of that time in which the receivers' thread was busy, 0 to 1.
    public var busy: Double

    /// The result of the whole test, both ends together. Messages may take longer to arrive than to be sent, so the
    /// longer of the two times counts.
    ///
    /// - Parameters:
    ///   - sending: the result of the sending end.
    ///   - sent: the number of messages that each receiver should have, without the warm-up.
    public func result(beside sending: LoadResult, sent: UInt64) -> LoadResult {
        var tally = tally
        tally.sent = sent * UInt64(ledgers.count)
        (tally.late, tally.skipped) = (sending.tally.late, sending.tally.skipped)
        var result = LoadResult(
            tally, seconds: max(sending.figures.seconds, seconds),
            rate: sending.figures.intendedRate.map { $0 * Double(ledgers.count) })
        result.figures.repeats = ledgers.reduce(0) { $0 + $1.repeats }
        result.figures.foreign = foreign
        result.figures.errors = sending.figures.errors
        result.figures.generatorBusy = max(sending.figures.generatorBusy, busy)
        return result
    }
}
