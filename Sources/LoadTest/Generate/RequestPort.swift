// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// A connection through which operations are asked for and answered. Made and used on one thread.
public protocol RequestPort {
    /// Asks for operation `number`; each number once.
    ///
    /// - Returns: false when nothing can be sent at the moment.
    func send(_ number: UInt64) throws(ZeroMQError) -> Bool
    /// What has come; nil when nothing has.
    func receive() throws(ZeroMQError) -> RequestAnswer?
    /// So that a wait ends when something has come.
    func join(_ poller: inout Poller)
}

/// What came of an operation.
public struct RequestAnswer: Hashable, Sendable {
    public var number: UInt64
    public var bytes: Int
    /// The name of the refusal's code; nil when it was done.
    public var error: String?

    public init(number: UInt64, bytes: Int, error: String? = nil) {
        (self.number, self.bytes, self.error) = (number, bytes, error)
    }
}
