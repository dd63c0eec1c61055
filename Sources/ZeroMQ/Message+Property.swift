// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ
internal import Glibc

/// A property, known to libzmq, of the peer that sent a message.
public enum MessageProperty: String, Sendable, Hashable, CaseIterable {
    // The raw values are libzmq's names. It knows the routing id only by an old name.
    /// The user id that the ``ZAPHandler`` gave to the peer. It is the only property that the peer cannot choose.
    case userID = "User-Id"
    /// The peer's IP address, without its port, as this machine saw it.
    case peerAddress = "Peer-Address"
    /// The peer's kind of socket, as the peer states it, for example `DEALER`.
    case socketType = "Socket-Type"
    /// The peer's ``SocketOptions/routingID``, as the peer states it, up to its first zero byte.
    case routingID = "Identity"
}

extension Message {
    /// Looks up a property of the peer that sent this message.
    ///
    /// - Returns: `nil` if the message was not received, if it came over `inproc`, where libzmq keeps no properties, or
    ///   if this peer does not have the property.
    public func property(_ property: MessageProperty) -> String? {
        withProperty(property) { String(decoding: $0, as: UTF8.self) }
    }

    /// Calls `body` with the bytes of ``property(_:)``, which are valid until `body` returns. Makes no string, for code
    /// that looks up a property of each message.
    public func withProperty<R>(_ property: MessageProperty, _ body: (UnsafeRawBufferPointer) -> R) -> R? {
        // Read the last frame, because the frame that a router puts in front has no properties.
        guard count > 0, let text = zmq_msg_gets(slot(count - 1), property.rawValue) else { return nil }
        return body(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }

    /// The file descriptor of the connection that delivered this message. The descriptor belongs to libzmq, which may
    /// have closed it by now, so that it may refer to another file. `nil` if the message came over `inproc` or was not
    /// received.
    public var descriptor: Int32? {
        guard count > 0 else { return nil }
        // libzmq: "Returns the file descriptor of the socket the message was read from". Deprecated without
        // replacement.
        let descriptor = zmq_msg_get(slot(count - 1), ZMQ_SRCFD)
        return descriptor < 0 ? nil : descriptor
    }
}
