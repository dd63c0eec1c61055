// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
import WaymarkProtocol
import ZeroMQ

/// What of all that arrives is a request that may be handled.
extension RequestServer {
    /// The request in `message`, or nil when it is none that may be handled.
    func admit() -> IncomingRequest? {
        guard message.count >= 2 else { return malformed() }
        let peer = message.withUnsafeBytes(at: 0) { peers.peer($0) }
        guard let signature = message.withUnsafeBytes(at: 1, { Signature($0) }) else { return malformed() }
        guard signature.kind == .request, message.count == 4,
            message.byteCount(at: 2) <= headerBytes,
            let header = message.withUnsafeBytes(at: 2, { RequestHeader($0) })
        else {
            let isOther = !versions.contains(signature.version)
            refuseUnread(peer, nil, isOther ? otherVersion(signature.version) : .badFrame)
            return nil
        }
        guard versions.contains(signature.version) || isHello else {
            // Nothing but the request's name is promised to stand at its place in every version.
            refuseUnread(peer, header.key, otherVersion(signature.version))
            return nil
        }
        let received = Monotonic.nanoseconds
        let now = received / 1_000_000
        let limit = UInt64(header.timeoutMs == 0 ? WaymarkProtocol.defaultTimeoutMilliseconds : header.timeoutMs)
        let timeout = min(limit, UInt64(WaymarkProtocol.timeoutMilliseconds))
        let age = peer.age.age(sent: header.sentMs, now: now)
        guard age < timeout else {
            // Whoever asked has stopped waiting: an answer would be work for nobody.
            told.expired += 1
            return nil
        }
        let body = message.bytes(at: 3)
        let kind = RequestKind(body: body)
        guard !peer.isGone || kind.isWrite else {
            // A write may have been sent by somebody who does not wait for its answer.
            told.expired += 1
            return nil
        }
        return IncomingRequest(
            address: ReplyAddress(
                connection: peer.id, key: header.key, kind: kind, received: received,
                version: signature.version),
            header: header, body: body, remaining: timeout - age)
    }

    /// Whether the message is a `hello`, which stands at its place in every version.
    private var isHello: Bool {
        guard case .hello? = (try? WireRequest(serializedBytes: message.bytes(at: 3)))?.command else { return false }
        return true
    }

    private func otherVersion(_ theirs: UInt8) -> ServiceError {
        .protocolVersion(UInt32(theirs)...UInt32(theirs), ours: versions)
    }

    private func malformed() -> IncomingRequest? {
        told.malformed += 1
        return nil
    }

    private func refuseUnread(_ peer: Peer, _ key: RequestKey?, _ error: ServiceError) {
        told.malformed += 1
        let body = WireReply(error).encoded
        guard let peer = self.peer(peer.id, with: body.count) else { return }
        // Best effort: whoever sends such frames may not be there to read an answer.
        try? send(
            to: peer, versions.lowerBound, key, ReplyHeader(), Frame(body, countedBy: peer.held),
            Monotonic.nanoseconds)
    }
}
