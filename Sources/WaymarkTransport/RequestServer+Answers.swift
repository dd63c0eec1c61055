// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol
public import ZeroMQ

/// Sends answers, grouped if possible, and limits the bytes of unread answers for each peer.
extension RequestServer {
    /// The maximum number of bytes of unread answers for one peer. A query service is one peer for all its clients.
    private static let heldForPeer = 64 * 1024 * 1024
    /// The maximum number of bytes of unread answers for all peers.
    private static let heldForAll = 256 * 1024 * 1024
    /// The number of bytes of unread answers that one peer may have even if `heldForAll` is used up. A peer that reads
    /// its answers rarely has more, so it is served whatever the other peers do.
    private static let heldInAnyCase = 64 * 1024

    /// Runs `body`, and sends the answers that it gives together, before returning.
    public func together(_ body: () -> Void) throws(ZeroMQError) {
        try outbox.together(body) { () throws(ZeroMQError) in try flush() }
    }

    /// Sends an answer. If the peer is gone or does not read, the answer is lost. The client asks again and gets it
    /// again.
    ///
    /// - Parameter body: an encoded `Reply`.
    public func answer(_ address: ReplyAddress, _ header: ReplyHeader, _ body: [UInt8]) throws(ZeroMQError) {
        try answer(address, header, body.count, ErrorCode(ofReply: body), bytes: { body }) {
            Frame(body, countedBy: $0)
        }
    }

    /// Sends an answer that is not a failure, and that is written directly into its frame.
    ///
    /// - Parameters:
    ///   - byteCount: the size of the encoded `Reply`. If it exceeds ``WaymarkProtocol/messageBytes``, a refusal is
    ///     sent instead.
    ///   - fill: must write exactly `byteCount` bytes.
    public func answer(
        _ address: ReplyAddress, _ header: ReplyHeader, byteCount: Int, fill: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(ZeroMQError) {
        try answer(
            address, header, byteCount, nil,
            bytes: {
                [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
                    // The allocated memory may be larger.
                    fill(UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[..<byteCount])))
                    count = byteCount
                }
            }, { Frame(byteCount: byteCount, countedBy: $0, from: pool, fill: fill) })
    }

    private func answer(
        _ address: ReplyAddress, _ header: ReplyHeader, _ byteCount: Int, _ refusal: ErrorCode?,
        bytes: () -> [UInt8], _ frame: (HeldBytes) -> Frame
    ) throws(ZeroMQError) {
        guard byteCount <= WaymarkProtocol.messageBytes else {
            // libzmq would end the client's connection, and do so again whenever the client asks again.
            return try refuse(address, header, .answerTooLarge)
        }
        let now = Monotonic.nanoseconds
        if address.isLocal {
            local?.end(address.key, .answered(header, body: bytes(), unanswered: 0))
            counted.answered += 1
        } else if let peer = peer(address.connection, with: byteCount) {
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
    /// - Parameter key: the key of the request; nil if it could not be read.
    func refuseUnread(_ sender: Peer, _ key: RequestKey?, _ error: ServiceError) {
        counted.malformed += 1
        let body = WireReply(error).encoded
        guard let peer = self.peer(sender.id, with: body.count) else { return }
        // Errors are ignored, because the sender of such messages may not be there to read the answer.
        try? send(
            to: peer, versions.lowerBound, key, ReplyHeader(), Frame(body, countedBy: peer.held),
            Monotonic.nanoseconds)
    }

    /// Returns the peer if an answer of this size may be sent to it; nil if it would exceed a limit of unread bytes.
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

    /// Sends the answers that are held back. Answers that cannot be sent are dropped, because the client asks again.
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
