// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// A connection that sends operations and receives their answers. Made and used on one thread.
public protocol RequestPort {
    /// Builds the message of operation `number` before its time is taken, so that building does not count as latency.
    /// Another port may send the message. May be called more than once, or not at all.
    func prepare(_ number: UInt64)
    /// Sends operation `number`; each number once.
    ///
    /// - Parameter intended: the intended time of sending, on ``NanoClock``.
    /// - Returns: false if nothing can be sent at the moment.
    func send(_ number: UInt64, intended: UInt64) throws(ZeroMQError) -> Bool
    /// The part of a mixed load, from 0, that the last sent operation belongs to.
    var part: Int { get }
    /// The next answer; nil if none has arrived.
    func receive() throws(ZeroMQError) -> RequestAnswer?
    /// Adds the socket to a poller, so that a wait ends when an answer has arrived.
    func join(_ poller: inout Poller)
}

extension RequestPort {
    public func prepare(_ number: UInt64) {}

    public var part: Int { 0 }
}

/// The answer to an operation.
public struct RequestAnswer: Hashable, Sendable {
    public var number: UInt64
    public var bytes: Int
    /// The name of the error code; nil if the operation succeeded.
    public var error: String?
    /// The part of a mixed load to which the answer belongs, from 0.
    public var part: Int

    public init(number: UInt64, bytes: Int, error: String? = nil, part: Int = 0) {
        (self.number, self.bytes, self.error, self.part) = (number, bytes, error, part)
    }
}
