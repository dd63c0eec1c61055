// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
import WaymarkProtocol

/// Decides which messages are handled as requests.
extension RequestServer {
    /// Returns the request in `message`; nil if the message was dropped or refused.
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
            // Only the key of the request has the same form in every version.
            refuseUnread(peer, header.key, otherVersion(signature.version))
            return nil
        }
        // Read the key from each message, because a peer may choose its routing id, and connect again with another key
        // under the same id. A client without a key cannot get here, so a missing key is not the peer's fault.
        if isSecured, message.withProperty(.userID, { peer.shows(key: $0) }) != true { return malformed() }
        let now = Monotonic.nanoseconds
        let limit = UInt64(header.timeoutMs == 0 ? WaymarkProtocol.defaultTimeoutMilliseconds : header.timeoutMs)
        let timeout = min(limit, UInt64(WaymarkProtocol.timeoutMilliseconds))
        let age = peer.age.age(sent: header.sentMs, now: now / 1_000_000)
        guard age < timeout else {
            // The client no longer waits, so nobody would read the answer.
            counted.expired += 1
            return nil
        }
        let body = message.bytes(at: 3)
        let kind = RequestKind(body: body)
        guard !peer.isGone || kind.isWrite else {
            // A write is executed even if its client has gone: the client may not wait for the answer.
            counted.expired += 1
            return nil
        }
        return IncomingRequest(
            address: ReplyAddress(
                connection: peer.id, key: header.key, kind: kind, received: now, version: signature.version),
            header: header, body: body, remaining: timeout - age, key: isSecured ? peer.key : nil)
    }

    /// The network address from which the latest request came, as this machine saw it; empty if unknown.
    public var origin: String { message.property(.peerAddress) ?? "" }

    /// Whether the message is a `hello`, which has the same form in every version.
    private var isHello: Bool {
        guard case .hello? = (try? WireRequest(serializedBytes: message.bytes(at: 3)))?.command else { return false }
        return true
    }

    private func otherVersion(_ theirs: UInt8) -> ServiceError {
        .protocolVersion(UInt32(theirs)...UInt32(theirs), ours: versions)
    }

    private func malformed() -> IncomingRequest? {
        counted.malformed += 1
        return nil
    }
}

extension ServiceError {
    static let badFrame = ServiceError(
        .badFrame, "These frames are not a request of the Waymark protocol: see its description, part Frames.")
}
