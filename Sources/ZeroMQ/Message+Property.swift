// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ
internal import Glibc

/// What libzmq knows of the peer that a message came from.
public enum MessageProperty: String, Sendable, Hashable, CaseIterable {
    // The raw value is libzmq's name. It knows the routing id by an old one only.
    /// What the ``ZAPHandler`` called the peer. The one property that the peer cannot choose.
    case userID = "User-Id"
    /// The peer's IP address, without its port, as this machine saw it.
    case peerAddress = "Peer-Address"
    /// The peer's pattern, in its own words: `DEALER`.
    case socketType = "Socket-Type"
    /// The peer's ``SocketOptions/routingID``, in its own words; up to its first zero byte.
    case routingID = "Identity"
}

extension Message {
    /// What libzmq knows of the peer that this message came from.
    ///
    /// - Returns: `nil` for a message that was not received, for one that came over `inproc`, where libzmq keeps
    ///   nothing, and for what this peer does not have.
    public func property(_ property: MessageProperty) -> String? {
        withProperty(property) { String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of ``property(_:)``, good until `body` returns: for what is looked up for each message.
    public func withProperty<R>(_ property: MessageProperty, _ body: (UnsafeRawBufferPointer) -> R) -> R? {
        // Of the last frame: the one that a router puts in front has nothing.
        guard count > 0, let text = zmq_msg_gets(slot(count - 1), property.rawValue) else { return nil }
        return body(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }

    /// The descriptor of the connection that this message came by. It belongs to libzmq, which may have closed it by now;
    /// the number may stand for another file then.
    ///
    /// - Returns: `nil` for a message that was not received, or came over `inproc`.
    public var descriptor: Int32? {
        guard count > 0 else { return nil }
        // libzmq: "Returns the file descriptor of the socket the message was read from"; deprecated, and not replaced.
        let descriptor = zmq_msg_get(slot(count - 1), ZMQ_SRCFD)
        return descriptor < 0 ? nil : descriptor
    }
}
