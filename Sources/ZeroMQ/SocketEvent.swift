// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ

/// What happened to a connection of a monitored socket.
public enum SocketEvent: Sendable, Hashable {
    /// The connection is up; the handshake is still to come.
    case connected
    /// The connection is being made.
    case connectDelayed
    /// It will be tried again after this time.
    case connectRetried(interval: Duration)
    /// The socket is bound.
    case listening
    /// It could not be bound.
    case bindFailed(errno: Int32)
    /// A peer has connected; the handshake is still to come. The descriptor belongs to libzmq, which may have closed it
    /// by now; the number may stand for another file then.
    case accepted(descriptor: Int32)
    /// A connection could not be accepted, often because no file descriptor was left.
    case acceptFailed(errno: Int32)
    /// A connection or a listener was closed by us.
    case closed
    /// It could not be closed.
    case closeFailed(errno: Int32)
    /// The connection was lost, also before or during its handshake. Reported before libzmq closes the descriptor: an
    /// ``accepted(descriptor:)`` that comes later with the same number is another connection.
    case disconnected(descriptor: Int32)
    /// The peer can be talked to.
    case handshakeSucceeded
    /// The peer was refused, or has refused us.
    case handshakeFailed(HandshakeFailure)
    /// There is nothing more to monitor.
    case stopped

    /// Why a handshake failed.
    public enum HandshakeFailure: Sendable, Hashable {
        /// An error of the system, often a connection that ended too early.
        case noDetail(errno: Int32)
        /// The peer does not speak ZMTP, or not this security: one of libzmq's `ZMQ_PROTOCOL_ERROR_*`.
        case `protocol`(code: Int)
        /// The ZAP handler's status: 300, 400 or 500. After 400 libzmq never tries again; the socket must be made anew.
        case auth(status: Int)

        /// `ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH`: one side wants encryption, and the other one does not.
        public static let otherMechanism = 0x1100_0002
        /// `ZMQ_PROTOCOL_ERROR_ZMTP_INVALID_METADATA`: as from a socket of a kind that does not fit.
        public static let badMetadata = 0x1000_0018
    }

    /// - Returns: `nil` for an event that this version of the library does not know.
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
