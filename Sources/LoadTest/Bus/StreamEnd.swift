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
