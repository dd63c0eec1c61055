// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
import WaymarkProtocol
import ZeroMQ

/// Sends the answers of a ``RequestServer``: together where it can, and within a budget of bytes for each peer.
final class AnswerSender {
    /// The most bytes of unread answers for one peer. A query service uses one connection for all its clients.
    static let heldForPeer = 64 * 1024 * 1024
    /// The most bytes of unread answers for all peers.
    static let heldForAll = 256 * 1024 * 1024
    /// What one peer may hold even if the budget of all peers is used up. A peer that reads its answers rarely holds
    /// more, so it is served whatever others do.
    static let heldInAnyCase = 64 * 1024
    /// The nanoseconds that an answer may wait for others.
    private static let patience: UInt64 = 200_000

    private let listener: Listener
    let peers = PeerTable()
    private let outbox = Outbox<Peer>(patience: patience)
    private let pool = FramePool()
    /// The encoded header of the latest answer. Kept for its capacity.
    private var header = WireWriter()
    /// Counts of the socket. The fields about what is held and about connections stay 0.
    var counted = RequestCounters()
    /// How the requests were answered, and how soon.
    private(set) var tally = RequestTally()

    init(_ listener: Listener) { self.listener = listener }

    /// Holds answers back while `body` runs, and sends them after it.
    func together(_ body: () -> Void) throws(ZeroMQError) {
        try outbox.together(body) { () throws(ZeroMQError) in try flush() }
    }

    /// Sends an encoded `Reply`.
    func answer(_ address: ReplyAddress, _ header: ReplyHeader, _ body: [UInt8]) throws(ZeroMQError) {
        guard body.count <= WaymarkProtocol.messageBytes else {
            // libzmq would end the client's connection, again at each retry.
            return try refuse(address, header, .answerTooLarge)
        }
        let now = Monotonic.nanoseconds
        if let peer = peer(address.connection, with: body.count) {
            let frame = Frame(body, countedBy: peer.held)
            try send(to: peer, address.version, address.key, header, frame, now)
        }
        count(address, ErrorCode(ofReply: body), now)
    }

    /// Sends an answer that is not a failure and is written directly into its frame.
    func answer(
        _ address: ReplyAddress, _ header: ReplyHeader, byteCount: Int, fill: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(ZeroMQError) {
        guard byteCount <= WaymarkProtocol.messageBytes else {
            return try refuse(address, header, .answerTooLarge)
        }
        let now = Monotonic.nanoseconds
        if let peer = peer(address.connection, with: byteCount) {
            let frame = Frame(byteCount: byteCount, countedBy: peer.held, from: pool, fill: fill)
            try send(to: peer, address.version, address.key, header, frame, now)
        }
        count(address, nil, now)
    }

    func refuse(_ address: ReplyAddress, _ header: ReplyHeader, _ error: ServiceError) throws(ZeroMQError) {
        counted.refused[error.code, default: 0] += 1
        try answer(address, header, WireReply(error).encoded)
    }

    /// Answers a message that is not a request of this protocol.
    ///
    /// - Parameter key: the name of the request, if it could be read.
    func refuse(_ peer: Peer, _ key: RequestKey?, version: UInt8, _ error: ServiceError) throws(ZeroMQError) {
        let body = WireReply(error).encoded
        guard let peer = self.peer(peer.id, with: body.count) else { return }
        let frame = Frame(body, countedBy: peer.held)
        try send(to: peer, version, key, ReplyHeader(), frame, Monotonic.nanoseconds)
    }

    private func count(_ address: ReplyAddress, _ refusal: ErrorCode?, _ now: UInt64) {
        tally.count(address.kind, refusal, nanoseconds: now - address.received)
    }

    /// The peer to which an answer of this size can be sent; nil if it would exceed a budget.
    private func peer(_ id: [UInt8], with bytes: Int) -> Peer? {
        let peer = peers.peer(id)
        let due = peer.held.count + bytes + HeldBytes.overhead
        guard due <= Self.heldForPeer, due <= Self.heldInAnyCase || peers.held.count + bytes <= Self.heldForAll else {
            counted.answersOverBudget += 1
            return nil
        }
        return peer
    }

    private func send(
        to peer: Peer, _ version: UInt8, _ key: RequestKey?, _ fields: ReplyHeader, _ body: consuming Frame,
        _ now: UInt64
    ) throws(ZeroMQError) {
        header.removeAll()
        fields.write(key, into: &header)
        let isDue = outbox.add(peer, at: now, payload: body) { message in
            peer.id.withUnsafeBytes { message.append(copying: $0) }
            Signature(.answer, version: version).withBytes { message.append(copying: $0) }
            header.bytes.withUnsafeBytes { message.append(copying: $0) }
        }
        if isDue { try flush() }
    }

    /// Sends the answers that are held back. What cannot be sent is dropped: the client asks again.
    func flush() throws(ZeroMQError) {
        try outbox.flush(to: listener.socket) { peer, outcome in
            switch outcome {
            case .sent: counted.answered += 1
            case .wouldBlock: counted.answersDropped += 1
            case .unroutable:
                counted.answersUnroutable += 1
                peer.lost()
            case nil: break
            }
        }
    }
}

extension ServiceError {
    static let answerTooLarge = ServiceError(.tooLarge, "The answer would be too large: ask for fewer rows.")
}
