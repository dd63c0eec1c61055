// SPDX-License-Identifier: Apache-2.0

/// Everything that the receivers of a one-way test counted.
public struct StreamArrivals: Sendable {
    public var tally: Tally
    /// The counts of missing, repeated and reordered messages, one ledger for each receiver.
    public var ledgers: [SequenceLedger]
    /// The number of messages that did not arrive in the order of ``StreamArrival/order``, or if none is required, of
    /// their numbers.
    public var reorders: UInt64
    /// The number of messages that belong to a different test. They are not counted anywhere else.
    public var foreign: UInt64
    /// The time from the end of the warm-up to the last counted message, in seconds.
    public var seconds: Double
    /// The share of ``seconds`` in which the receivers' thread was busy, from 0 to 1.
    public var busy: Double
    var profile: ProfileTally
    /// The number of failures of the receivers for each error code.
    public var errors: [String: UInt64] = [:]

    /// Combines the results of the sender and the receivers. The longer of their times counts, because messages may
    /// take longer to arrive than to be sent.
    ///
    /// - Parameters:
    ///   - sending: the result of the sender.
    ///   - sent: the number of messages that each receiver should have received, without the warm-up.
    public func result(beside sending: LoadResult, sent: UInt64) -> LoadResult {
        result(beside: sending, expected: sent * UInt64(ledgers.count), copies: Double(ledgers.count))
    }

    /// - Parameters:
    ///   - expected: the number of messages that all receivers together should have received, without the warm-up.
    ///   - copies: the mean number of receivers of a message.
    func result(beside sending: LoadResult, expected: UInt64, copies: Double) -> LoadResult {
        var tally = tally
        tally.sent = expected
        (tally.late, tally.skipped) = (sending.tally.late, sending.tally.skipped)
        var result = LoadResult(
            tally, seconds: max(sending.figures.seconds, seconds),
            rate: sending.figures.intendedRate.map { $0 * copies })
        result.figures.repeats = ledgers.reduce(0) { $0 + $1.repeats }
        (result.figures.reorders, result.figures.foreign) = (reorders, foreign)
        result.figures.errors = sending.figures.errors.merging(errors, uniquingKeysWith: +)
        result.figures.generatorBusy = max(sending.figures.generatorBusy, busy)
        let parts = sending.parts.filter { $0.number != nil }
        // A part lasts as long as something was sent in it.
        let seconds = parts.reduce(0) { $0 + $1.result.figures.seconds }
        result.parts = profile.results(seconds: seconds).map { part in
            var part = part
            let sent = parts.first { $0.number == part.number }?.result.figures
            part.result.figures.sent = UInt64((Double(sent?.sent ?? 0) * copies).rounded())
            (part.result.figures.late, part.result.figures.skipped) = (sent?.late ?? 0, sent?.skipped ?? 0)
            part.result.figures.intendedRate = part.result.figures.intendedRate.map { $0 * copies }
            return part
        }
        return result
    }
}
