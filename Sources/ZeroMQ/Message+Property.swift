// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ
internal import Glibc

/// A property of the peer that sent a message, as libzmq knows it.
public enum MessageProperty: String, Sendable, Hashable, CaseIterable {
    // The raw values are libzmq's names; it knows the routing id only by an old one.
    /// The name that the ``ZAPHandler`` gave to the peer; the only property that the peer cannot choose.
    case userID = "User-Id"
    /// The peer's IP address, without its port, as this machine saw it.
    case peerAddress = "Peer-Address"
    /// The peer's pattern, as the peer states it: `DEALER`.
    case socketType = "Socket-Type"
    /// The peer's ``SocketOptions/routingID``, as the peer states it, up to its first zero byte.
    case routingID = "Identity"
}

extension Message {
    /// Looks up a property of the peer that sent this message.
    ///
    /// - Returns: `nil` for a message that was not received, for one that came over `inproc`, where libzmq keeps
    ///   nothing, and for a property that this peer does not have.
    public func property(_ property: MessageProperty) -> String? {
        withProperty(property) { String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of ``property(_:)``, good until `body` returns. Makes no string, for code that looks up each message.
    public func withProperty<R>(_ property: MessageProperty, _ body: (UnsafeRawBufferPointer) -> R) -> R? {
        // Ask the last frame: the frame that a router puts in front has no properties.
        guard count > 0, let text = zmq_msg_gets(slot(count - 1), property.rawValue) else { return nil }
        return body(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }

    /// The file descriptor of the connection that delivered this message. The descriptor belongs to libzmq, which may
    /// have closed it by now; the number may then stand for another file.
    ///
    /// - Returns: `nil` for a message that was not received, or came over `inproc`.
    public var descriptor: Int32? {
        guard count > 0 else { return nil }
        // libzmq: "Returns the file descriptor of the socket the message was read from"; deprecated, and not replaced.
        let descriptor = zmq_msg_get(slot(count - 1), ZMQ_SRCFD)
        return descriptor < 0 ? nil : descriptor
    }
}
