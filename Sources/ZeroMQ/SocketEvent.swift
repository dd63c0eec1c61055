// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ

/// An event of a monitored socket's connection.
public enum SocketEvent: Sendable, Hashable {
    /// The connection is up; the handshake follows.
    case connected
    /// The connection is being made.
    case connectDelayed
    /// The socket will try to connect again after this interval.
    case connectRetried(interval: Duration)
    /// The socket is bound.
    case listening
    /// Binding failed.
    case bindFailed(errno: Int32)
    /// A peer has connected, and the handshake follows. The descriptor belongs to libzmq, which may have closed it by
    /// now, so that it may refer to another file.
    case accepted(descriptor: Int32)
    /// A connection could not be accepted, often because no file descriptor was left.
    case acceptFailed(errno: Int32)
    /// This process closed a connection or a listening socket.
    case closed
    /// Closing failed.
    case closeFailed(errno: Int32)
    /// The connection was lost, possibly before or during its handshake. Reported before libzmq closes the descriptor,
    /// so a later ``accepted(descriptor:)`` with the same descriptor is another connection.
    case disconnected(descriptor: Int32)
    /// The handshake is complete; messages can be exchanged.
    case handshakeSucceeded
    /// The handshake failed, because one of the two sides refused the other.
    case handshakeFailed(HandshakeFailure)
    /// Monitoring has ended.
    case stopped

    /// The reason why a handshake failed.
    public enum HandshakeFailure: Sendable, Hashable {
        /// A system error, often because the connection ended too early.
        case noDetail(errno: Int32)
        /// The peer does not speak ZMTP, or uses another security mechanism. The code is a `ZMQ_PROTOCOL_ERROR_*`.
        case `protocol`(code: Int)
        /// The ZAP handler refused the peer with this status: 300, 400 or 500. After 400 a new socket is needed.
        case auth(status: Int)

        /// `ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH`, for example because only one side encrypts.
        public static let otherMechanism = 0x1100_0002
        /// `ZMQ_PROTOCOL_ERROR_ZMTP_INVALID_METADATA`, for example for unsuitable kinds of sockets.
        public static let badMetadata = 0x1000_0018
    }

    /// Decodes libzmq's event. `nil` if this version of the library does not know the event.
    init?(number: UInt16, value: UInt32) {
        let errno = Int32(truncatingIfNeeded: value)
        switch Int32(number) {
        case ZMQ_EVENT_CONNECTED: self = .connected
        case ZMQ_EVENT_CONNECT_DELAYED: self = .connectDelayed
        case ZMQ_EVENT_CONNECT_RETRIED: self = .connectRetried(interval: .milliseconds(Int64(value)))
        case ZMQ_EVENT_LISTENING: self = .listening
        case ZMQ_EVENT_BIND_FAILED: self = .bindFailed(errno: errno)
        case ZMQ_EVENT_ACCEPTED: self = .accepted(descriptor: errno)
        case ZMQ_EVENT_ACCEPT_FAILED: self = .acceptFailed(errno: errno)
        case ZMQ_EVENT_CLOSED: self = .closed
        case ZMQ_EVENT_CLOSE_FAILED: self = .closeFailed(errno: errno)
        case ZMQ_EVENT_DISCONNECTED: self = .disconnected(descriptor: errno)
        case ZMQ_EVENT_MONITOR_STOPPED: self = .stopped
        case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: self = .handshakeSucceeded
        case ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL: self = .handshakeFailed(.noDetail(errno: errno))
        case ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL: self = .handshakeFailed(.protocol(code: Int(value)))
        case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH: self = .handshakeFailed(.auth(status: Int(value)))
        default: return nil
        }
    }
}
