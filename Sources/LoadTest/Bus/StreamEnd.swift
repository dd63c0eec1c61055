// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// The sender of a one-way test. Made and used on one thread.
public protocol StreamSender: AnyObject {
    /// - Returns: false if the socket cannot accept a message now.
    func send(_ payload: [UInt8]) throws(ZeroMQError) -> Bool
    /// The size of the last message in bytes; nil if it is that of the payload.
    var sentBytes: Int? { get }
}

extension StreamSender {
    public var sentBytes: Int? { nil }
}

/// A receiver of a one-way test. Made and used on one thread.
public protocol StreamIntake: AnyObject {
    /// Adds the socket to a poller, so that the poller stops waiting when a message arrives.
    func join(_ poller: inout ReceivePoller) throws(ZeroMQError)
    /// Returns the next message; nil if none has arrived.
    func receive() throws(ZeroMQError) -> StreamArrival?
    /// Called when the greetings are over.
    ///
    /// - Parameter time: the time on ``NanoClock`` at which the run begins.
    func begins(at time: UInt64)
    /// Called when everything has been sent.
    func sendingEnded()
}

extension StreamIntake {
    public func begins(at time: UInt64) {}

    public func sendingEnded() {}
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

/// A PUSH or PUB socket.
public final class BusSender: StreamSender {
    public let socket: Socket
    private var message = Message()

    public init(_ socket: consuming Socket) {
        self.socket = socket
    }

    public func send(_ payload: [UInt8]) throws(ZeroMQError) -> Bool {
        message.removeAll()
        payload.withUnsafeBytes { message.append(copying: $0) }
        return try socket.send(&message) == .sent
    }
}

/// A PULL or SUB socket. Only the last frame of a message is read, because a topic may precede it.
public final class BusIntake: StreamIntake {
    private let socket: Socket
    private let tag: UInt64
    private var message = Message()

    /// - Parameter tag: the tag of the run. A message with a different tag belongs to a different run.
    public init(_ socket: consuming Socket, tag: UInt64) {
        self.socket = socket
        self.tag = tag
    }

    public func join(_ poller: inout ReceivePoller) throws(ZeroMQError) { try poller.add(socket) }

    public func receive() throws(ZeroMQError) -> StreamArrival? {
        guard try socket.receive(into: &message) else { return nil }
        let told = message.withUnsafeBytes(at: message.count - 1) { Payload.read($0, tag: tag) }
        return StreamArrival(number: told?.number, intended: told?.time ?? 0, bytes: message.totalByteCount)
    }
}
