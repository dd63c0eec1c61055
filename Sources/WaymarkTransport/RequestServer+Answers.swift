// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
public import WaymarkProtocol
public import ZeroMQ

/// Sending answers: grouped if possible, and within a budget of bytes for each peer.
extension RequestServer {
    /// The most bytes of unread answers for one peer. A query service uses one connection for all its clients.
    private static let heldForPeer = 64 * 1024 * 1024
    /// The most bytes of unread answers for all peers.
    private static let heldForAll = 256 * 1024 * 1024
    /// The bytes that one peer may hold even if the budget of all peers is used up. A peer that reads its answers
    /// rarely holds more, so it is served whatever others do.
    private static let heldInAnyCase = 64 * 1024

    /// Sends the answers that are given within `body` together, all of them before this returns.
    public func together(_ body: () -> Void) throws(ZeroMQError) {
        try outbox.together(body) { () throws(ZeroMQError) in try flush() }
    }

    /// Sends an answer. If the peer is gone or does not read, the answer is lost: the client asks again and gets the
    /// same one.
    ///
    /// - Parameter body: an encoded `Reply`.
    public func answer(_ address: ReplyAddress, _ header: ReplyHeader, _ body: [UInt8]) throws(ZeroMQError) {
        try answer(address, header, body.count, ErrorCode(ofReply: body)) { Frame(body, countedBy: $0) }
    }

    /// Sends an answer that is not a failure and is written directly into its frame.
    ///
    /// - Parameters:
    ///   - byteCount: the size of the encoded `Reply`. Beyond ``WaymarkProtocol/messageBytes`` a refusal is sent
    ///     instead.
    ///   - fill: must write all bytes.
    public func answer(
        _ address: ReplyAddress, _ header: ReplyHeader, byteCount: Int, fill: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(ZeroMQError) {
        try answer(address, header, byteCount, nil) {
            Frame(byteCount: byteCount, countedBy: $0, from: pool, fill: fill)
        }
    }

    private func answer(
        _ address: ReplyAddress, _ header: ReplyHeader, _ byteCount: Int, _ refusal: ErrorCode?,
        _ frame: (HeldBytes) -> Frame
    ) throws(ZeroMQError) {
        guard byteCount <= WaymarkProtocol.messageBytes else {
            // libzmq would end the client's connection, again at each retry.
            return try refuse(address, header, .answerTooLarge)
        }
        let now = Monotonic.nanoseconds
        if let peer = peer(address.connection, with: byteCount) {
            try send(to: peer, address.version, address.key, header, frame(peer.held), now)
        }
        tally.count(address.kind, refusal, nanoseconds: now - address.received)
    }

    public func refuse(_ address: ReplyAddress, _ header: ReplyHeader, _ error: ServiceError) throws(ZeroMQError) {
        counted.refused[error.code, default: 0] += 1
        try answer(address, header, WireReply(error).encoded)
    }

    /// Refuses a message that could not be read as a request.
    ///
    /// - Parameter key: the name of the request, if it could be read.
    func refuseUnread(_ sender: Peer, _ key: RequestKey?, _ error: ServiceError) {
        counted.malformed += 1
        let body = WireReply(error).encoded
        guard let peer = self.peer(sender.id, with: body.count) else { return }
        // Errors are ignored: the sender of such frames may not be there to read the answer.
        try? send(
            to: peer, versions.lowerBound, key, ReplyHeader(), Frame(body, countedBy: peer.held),
            Monotonic.nanoseconds)
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

    /// Sends the answers that are held back. Answers that cannot be sent are dropped: the client asks again.
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
