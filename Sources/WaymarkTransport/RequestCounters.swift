// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol

/// Counters of a request socket, and of the requests of the same process.
public struct RequestCounters: Sendable {
    /// Messages received.
    public var received: UInt64 = 0
    public var answered: UInt64 = 0
    /// Messages that are not requests of this protocol.
    public var malformed: UInt64 = 0
    /// Connections that did not complete the ZeroMQ handshake.
    public var handshakesFailed: UInt64 = 0
    /// Requests that were received after their client had stopped waiting.
    public var expired: UInt64 = 0
    /// Answers that were dropped because the peer's queue was full.
    public var answersDropped: UInt64 = 0
    /// Answers that were dropped because too many bytes of answers waited for their peer, or for all peers.
    public var answersOverBudget: UInt64 = 0
    /// Connections that were closed because there were too many, or because the process had no file descriptor left.
    public var connectionsTurnedAway: UInt64 = 0
    /// The number of present connections.
    public var connections: UInt64 = 0
    /// How many times the process ran out of file descriptors.
    public var descriptorShortages: UInt64 = 0
    /// The number of bytes of answers that wait to be written to their connections.
    public var answerBytesHeld: UInt64 = 0
    /// Answers that were dropped because the peer had gone.
    public var answersUnroutable: UInt64 = 0
    /// Requests that were refused, by error code.
    public var refused: [ErrorCode: UInt64] = [:]
}
