// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
public import WaymarkProtocol

/// What came to a request socket and what became of it.
public struct RequestCounters: Sendable {
    /// Messages taken off the socket.
    public var received: UInt64 = 0
    public var answered: UInt64 = 0
    /// Not of this protocol.
    public var malformed: UInt64 = 0
    /// Bytes on the port that were not even ZeroMQ.
    public var handshakesFailed: UInt64 = 0
    /// Came when nobody waited for the answer any more.
    public var expired: UInt64 = 0
    /// The peer did not read its answers.
    public var answersDropped: UInt64 = 0
    /// Its answers, or those of all peers, were too many bytes that nobody reads.
    public var answersOverBudget: UInt64 = 0
    /// One connection more than there may be, or no file descriptor was left.
    public var connectionsTurnedAway: UInt64 = 0
    public var connections: UInt64 = 0
    /// How often file descriptors had run out.
    public var descriptorShortages: UInt64 = 0
    /// Bytes of answers that wait to be written to their connections.
    public var answerBytesHeld: UInt64 = 0
    /// The peer was gone.
    public var answersUnroutable: UInt64 = 0
    public var refused: [ErrorCode: UInt64] = [:]

    public init() {}

    /// As `status` shows them.
    public var wire: [WireCounter] {
        let plain = [
            ("requests_received", received), ("requests_answered", answered), ("requests_malformed", malformed),
            ("handshakes_failed", handshakesFailed), ("requests_expired", expired),
            ("answers_dropped", answersDropped), ("answers_unroutable", answersUnroutable),
            ("answers_over_budget", answersOverBudget), ("answer_bytes_held", answerBytesHeld),
            ("connections", connections), ("connections_turned_away", connectionsTurnedAway),
            ("descriptor_shortages", descriptorShortages),
        ]
        let refusals = refused.map { ("refused_\($0.key.name)", $0.value) }.sorted { $0.0 < $1.0 }
        return (plain + refusals).map { name, value in
            .with {
                $0.name = name
                $0.value = value
            }
        }
    }
}
