// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ

/// What libzmq knows of the peer that a message came from.
public enum MessageProperty: Sendable, Hashable, CaseIterable {
    /// What the ``ZAPHandler`` called the peer. The one property that the peer cannot choose.
    case userID
    /// The peer's IP address, without its port, as this machine saw it.
    case peerAddress
    /// The peer's pattern, in its own words: `DEALER`.
    case socketType
    /// The peer's ``SocketOptions/routingID``, in its own words; up to its first zero byte.
    case routingID

    /// libzmq knows the routing id by its old name only.
    fileprivate var name: String {
        switch self {
        case .userID: "User-Id"
        case .peerAddress: "Peer-Address"
        case .socketType: "Socket-Type"
        case .routingID: "Identity"
        }
    }
}

extension Message {
    /// What libzmq knows of the peer that this message came from.
    ///
    /// - Returns: `nil` for a message that was not received, for one that came over `inproc`, where libzmq keeps
    ///   nothing, and for what this peer does not have.
    public func property(_ property: MessageProperty) -> String? {
        // Of the last frame: the one that a router puts in front has nothing.
        guard count > 0, let text = zmq_msg_gets(slot(count - 1), property.name) else { return nil }
        return String(cString: text)
    }
}
