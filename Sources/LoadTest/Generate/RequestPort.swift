// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// A connection through which operations are asked for and answered. Made and used on one thread.
public protocol RequestPort {
    /// Makes what operation `number` sends, before its time is taken: what that costs the generator is no latency. Whichever
    /// port is asked to, any of them may send it; it may be called more than once, or not at all.
    func prepare(_ number: UInt64)
    /// Asks for operation `number`; each number once.
    ///
    /// - Parameter intended: when it was meant to be sent, on ``NanoClock``.
    /// - Returns: false when nothing can be sent at the moment.
    func send(_ number: UInt64, intended: UInt64) throws(ZeroMQError) -> Bool
    /// Which part of a mixed load the operation that was sent last belongs to, from 0.
    var part: Int { get }
    /// What has come; nil when nothing has.
    func receive() throws(ZeroMQError) -> RequestAnswer?
    /// So that a wait ends when something has come.
    func join(_ poller: inout Poller)
}

extension RequestPort {
    public func prepare(_ number: UInt64) {}

    public var part: Int { 0 }
}

/// What came of an operation.
public struct RequestAnswer: Hashable, Sendable {
    public var number: UInt64
    public var bytes: Int
    /// The name of the refusal's code; nil when it was done.
    public var error: String?
    /// Which part of a mixed load it belongs to, from 0; counted where the generator keeps parts.
    public var part: Int

    public init(number: UInt64, bytes: Int, error: String? = nil, part: Int = 0) {
        (self.number, self.bytes, self.error, self.part) = (number, bytes, error, part)
    }
}
