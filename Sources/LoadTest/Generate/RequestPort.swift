// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// A connection that sends operations and receives their answers. Made and used on one thread.
public protocol RequestPort {
    /// Builds the message of operation `number` in advance, so that building it does not count as latency. May be
    /// called several times or not at all, and another port may send the operation.
    func prepare(_ number: UInt64)
    /// Sends operation `number`. Each number is sent once.
    ///
    /// - Parameter intended: the time on ``NanoClock`` at which the operation was meant to be sent.
    /// - Returns: false if the socket cannot accept a message now.
    func send(_ number: UInt64, intended: UInt64) throws(ZeroMQError) -> Bool
    /// The index of the kind of operation, in a mixed load, to which the last sent operation belongs.
    var part: Int { get }
    /// Returns the next answer; nil if none has arrived.
    func receive() throws(ZeroMQError) -> RequestAnswer?
    /// Adds the socket to a poller, so that the poller stops waiting when an answer arrives.
    func join(_ poller: inout Poller)
}

extension RequestPort {
    public func prepare(_ number: UInt64) {}
    public var part: Int { 0 }
}

/// The answer to an operation.
public struct RequestAnswer: Hashable, Sendable {
    /// The number of the operation; 0 if the answer fits no operation.
    public var number: UInt64
    public var bytes: Int
    /// The name of the error code; nil if the operation succeeded.
    public var error: String?

    public init(number: UInt64, bytes: Int, error: String? = nil) {
        (self.number, self.bytes, self.error) = (number, bytes, error)
    }
}
