// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// The sender of a one-way test. Made and used on one thread.
public protocol StreamSender: AnyObject {
    /// Sends message `number`, which begins with 1; a greeting with 0.
    ///
    /// - Parameter intended: the time on ``NanoClock`` at which the message was meant to be sent.
    /// - Returns: the size of the sent message in bytes; nil if the socket cannot accept a message now.
    func send(_ number: UInt64, intended: UInt64) throws(ZeroMQError) -> Int?
}

/// A receiver of a one-way test. Made and used on one thread.
public protocol StreamIntake: AnyObject {
    /// Adds the socket to a poller, so that the poller stops waiting when a message arrives.
    func join(_ poller: inout ReceivePoller) throws(ZeroMQError)
    /// Returns the next message; nil if none has arrived.
    func receive() throws(ZeroMQError) -> StreamArrival?
}

/// A message that a receiver has received.
public struct StreamArrival: Hashable, Sendable {
    /// The message's number; nil if the message belongs to a different test.
    public var number: UInt64?
    /// The time at which the message was meant to be sent.
    public var intended: UInt64
    public var bytes: Int
    /// The rank of the message in the required order of arrival; nil if that is the order of the numbers.
    public var order: UInt64?

    public init(number: UInt64?, intended: UInt64, bytes: Int, order: UInt64? = nil) {
        (self.number, self.intended, self.bytes, self.order) = (number, intended, bytes, order)
    }
}

/// Everything that the receivers of a one-way test counted.
public struct StreamArrivals: Sendable {
    /// The figures of all receivers together. Their time ends with the last counted message.
    public var received: LoadResult
    /// The counts of missing, repeated and reordered messages, one ledger for each receiver.
    public var ledgers: [SequenceLedger]
    /// The number of messages that arrived out of the order of ``StreamArrival/order``, or else of their numbers.
    public var reorders: UInt64
    /// The number of messages that belong to a different test. They are not counted anywhere else.
    public var foreign: UInt64
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
        let seconds = max(sending.figures.seconds, received.figures.seconds)
        var result = Self.result(received.tally, seconds, beside: sending, copies)
        result.figures.sent = expected
        result.figures.repeats = ledgers.reduce(0) { $0 + $1.repeats }
        (result.figures.reorders, result.figures.foreign) = (reorders, foreign)
        result.figures.errors = sending.figures.errors.merging(errors, uniquingKeysWith: +)
        result.figures.generatorBusy = max(sending.figures.generatorBusy, received.figures.generatorBusy)
        // A part lasts as long as something was sent in it.
        result.parts = sending.parts.filter { $0.number != nil }.map { sent in
            let own = received.parts.first { $0.number == sent.number }?.tally ?? Tally(from: .max)
            var part = Self.result(own, sent.figures.seconds, beside: sent, copies)
            part.figures.sent = UInt64((Double(sent.figures.sent) * copies).rounded())
            return part
        }
        return result
    }

    private static func result(
        _ tally: Tally, _ seconds: Double, beside sending: LoadResult, _ copies: Double
    ) -> LoadResult {
        var result = LoadResult(
            tally, seconds: seconds, rate: sending.figures.intendedRate.map { $0 * copies }, name: sending.name,
            number: sending.number)
        (result.figures.late, result.figures.skipped) = (sending.figures.late, sending.figures.skipped)
        return result
    }
}
