// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ
internal import Glibc

/// A libzmq socket, which is created, used and closed on one thread, usually that of an ``EventLoop``.
///
/// libzmq: "Applications MUST NOT use a socket from multiple threads under any circumstances". Two checks enforce this.
/// First, the compiler keeps two isolations from sharing a socket, because a socket has a unique owner and is not
/// Sendable. But the compiler cannot keep code that is bound to no actor on one thread. So secondly, each use compares
/// the thread, in release builds too, and on another thread ends the process with a message. Therefore make a socket in
/// a method of the actor that lives on the event loop, and keep it in that actor, or let an ``AsyncSocket`` do both.
///
/// The socket is closed when its owner is released. If an actor is released on another thread, the event loop closes
/// the socket in its next turn. A socket that was made on a thread without an event loop has to be released on that
/// thread.
public struct Socket: ~Copyable {
    /// The messaging pattern of a socket. The raw value is libzmq's constant for it.
    public enum Kind: Int32, Sendable, Hashable, CaseIterable {
        case pair = 0, pub, sub, req, rep, dealer, router, pull, push, xpub, xsub, stream
    }

    /// The messaging pattern of this socket.
    public let kind: Kind
    let shared: SharedSocket
    private let hasHeartbeat: Bool
    /// libzmq's pointer to the socket, for plain calls on the socket's thread while the socket is open.
    package var handle: UnsafeMutableRawPointer { shared.handle }

    /// Opens a socket on the calling thread, which owns it from then on.
    ///
    /// Throws ``ZeroMQError/Code/tooManySockets``, ``ZeroMQError/Code/terminated``, or
    /// ``ZeroMQError/Code/invalidArgument`` with the option's name as ``ZeroMQError/operation``.
    public init(_ kind: Kind, context: Context, options: SocketOptions = SocketOptions()) throws(ZeroMQError) {
        let opened = try SharedSocket(kind, context: context)
        try options.apply(to: opened.handle, kind: kind, ioThreads: context.ioThreads)
        self.kind = kind
        hasHeartbeat = options.heartbeat != nil
        shared = opened
    }

    deinit { shared.letGo() }

    /// Listens at an endpoint. Returns the endpoint actually bound, with the port chosen for `*`.
    ///
    /// Throws ``ZeroMQError/Code/addressInUse``, ``ZeroMQError/Code/addressNotAvailable``,
    /// ``ZeroMQError/Code/invalidArgument`` or ``ZeroMQError/Code/unsupportedProtocol``, among others.
    @discardableResult
    public borrowing func bind(_ endpoint: String) throws(ZeroMQError) -> String {
        if zmq_bind(shared.handle, endpoint) != 0 { throw ZeroMQError(ZeroMQError.binding, endpoint: endpoint) }
        var buffer = [CChar](repeating: 0, count: 512)
        var size = buffer.count
        guard zmq_getsockopt(shared.handle, ZMQ_LAST_ENDPOINT, &buffer, &size) == 0 else {
            throw ZeroMQError("ZMQ_LAST_ENDPOINT", endpoint: endpoint)
        }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Begins to connect, and reconnects whenever the connection is lost. The peer need not exist yet.
    ///
    /// Throws ``ZeroMQError/Code/heartbeatOnConnectingSocket`` if ``SocketOptions/heartbeat`` was set.
    public borrowing func connect(_ endpoint: String) throws(ZeroMQError) {
        if hasHeartbeat {
            throw ZeroMQError("zmq_connect", endpoint: endpoint, code: .heartbeatOnConnectingSocket, errno: EINVAL)
        }
        if zmq_connect(shared.handle, endpoint) != 0 { throw ZeroMQError("zmq_connect", endpoint: endpoint) }
    }

    /// Ends a connection. Messages still queued for it after ``SocketOptions/linger`` are lost.
    public borrowing func disconnect(_ endpoint: String) throws(ZeroMQError) {
        if zmq_disconnect(shared.handle, endpoint) != 0 { throw ZeroMQError("zmq_disconnect", endpoint: endpoint) }
    }

    /// Stops listening at an endpoint, which must be the text that ``bind(_:)`` returned.
    public borrowing func unbind(_ endpoint: String) throws(ZeroMQError) {
        if zmq_unbind(shared.handle, endpoint) != 0 { throw ZeroMQError("zmq_unbind", endpoint: endpoint) }
    }

    /// Subscribes a `sub` socket to the messages whose first frame begins with these bytes.
    ///
    /// Keep topics few and short, because libzmq 4.3.4 never registers topics of more than 245 bytes, and counts
    /// subscriptions against the send high-water mark.
    public borrowing func subscribe(_ topic: [UInt8]) throws(ZeroMQError) {
        try OptionSetter(socket: shared.handle).set(ZMQ_SUBSCRIBE, topic, "ZMQ_SUBSCRIBE")
    }

    /// Reverses one ``subscribe(_:)`` of a `sub` socket.
    public borrowing func unsubscribe(_ topic: [UInt8]) throws(ZeroMQError) {
        try OptionSetter(socket: shared.handle).set(ZMQ_UNSUBSCRIBE, topic, "ZMQ_UNSUBSCRIBE")
    }
}

@available(*, unavailable, message: "a libzmq socket belongs to one thread for life")
extension Socket: Sendable {}
