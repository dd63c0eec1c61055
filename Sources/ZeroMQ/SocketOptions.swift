// SPDX-License-Identifier: Apache-2.0

/// The options of one socket, all set before it binds or connects; `nil` leaves libzmq's own default.
///
/// Start from ``service`` for a socket that binds, and from ``client`` for one that connects. An option that a kind of
/// socket does not have (``routerMandatory`` on a `dealer`) is not set on it.
public struct SocketOptions: Sendable {
    /// How long a closed socket goes on sending queued messages. Never "for ever", libzmq's default, with which
    /// ``Context/terminate()`` may hang.
    public var linger: Duration = .zero

    /// Messages queued for each peer before a send would block; 0 is no limit. libzmq: 1000.
    public var sendHighWaterMark: Int?
    /// Messages queued from each peer before libzmq stops reading from it; 0 is no limit. libzmq: 1000.
    public var receiveHighWaterMark: Int?
    /// The most bytes in one incoming frame. A peer that sends more is disconnected, and the messages it had queued
    /// behind the frame are lost. libzmq: no limit.
    public var maxMessageSize: Int?

    /// Connections that the kernel holds until they are accepted. libzmq: 100.
    public var backlog: Int?
    /// Queue only for peers that are connected, so that a send would block while there is none, instead of seeming to
    /// succeed.
    ///
    /// Not for a socket that reads messages of several frames: libzmq 4.3.4 ends the process (`Assertion failed:
    /// !_more`, fq.cpp) when the connection breaks while one is being read. Ask a ``SocketMonitor`` whether there is a
    /// connection.
    public var immediate = false
    /// `router`: report that a peer is gone (``SendOutcome/unroutable``) instead of dropping the message silently.
    public var routerMandatory = false
    /// `xpub`: report every subscription, also one that another subscriber already has, so that each new subscriber can
    /// be greeted.
    public var xpubVerbose = false
    /// `xpub`: the first message to a new subscriber, if it subscribes to a prefix of the message.
    public var welcomeMessage: [UInt8]?
    /// `req`, `rep`, `dealer`, `router`: the name by which a `router` at the other end knows this socket; 1 to 255
    /// bytes, the first not 0. libzmq: the router invents one for each connection.
    ///
    /// A router refuses a second connection with the same name, also while it has not yet seen the end of the first.
    public var routingID: [UInt8]?
    /// `req`: allows the next request before the last answer has come. Without this option, a `req` whose peer ended is
    /// of no more use. Set ``reqCorrelate`` too, so that a late answer is not mistaken for the new one.
    public var reqRelaxed = false
    /// `req`: number the requests and drop answers to earlier ones.
    public var reqCorrelate = false

    /// How long a peer may take to introduce itself. libzmq: 30 s.
    public var handshakeTimeout: Duration?
    /// The pause before connecting again. libzmq: 100 ms.
    public var reconnectInterval: Duration?
    /// The limit up to which the pause doubles. libzmq: the pause does not grow.
    public var reconnectIntervalMax: Duration?
    /// How long one attempt to connect may take. libzmq: the kernel's limit.
    public var connectTimeout: Duration?

    /// Pings of the transport. Only for sockets that bind: ``Socket/connect(_:)`` refuses them.
    public var heartbeat: Heartbeat?
    /// The kernel's probes of an idle TCP connection. libzmq: the kernel's setting.
    public var tcpKeepAlive: TCPKeepAlive?
    /// How long sent data may stay unacknowledged before the kernel closes the connection.
    public var tcpMaxRetransmitTimeout: Duration?
    /// The kernel's buffer for sending, in bytes.
    public var kernelSendBuffer: Int?
    /// The kernel's buffer for receiving, in bytes.
    public var kernelReceiveBuffer: Int?
    /// Whether to accept and make IPv6 connections too.
    public var ipv6 = false

    /// The I/O thread of the context that carries this socket's connections, from 0; ignored where the context has
    /// fewer. libzmq: each connection goes to the thread with the fewest.
    ///
    /// A socket whose connections are many or busy delays all others on its thread: a message to 256 subscribers takes
    /// an I/O thread some milliseconds.
    public var ioThread: Int?

    /// Encryption and authentication. Without it, everyone may connect and everything is sent in the clear.
    public var security: SocketSecurity?

    /// libzmq's defaults, except for ``linger``.
    public init() {}

    /// ZMTP's PING and PONG, answered by the peer's I/O thread.
    ///
    /// On libzmq 4.3.4 a *connecting* socket that sends pings and stalls until its receive queue is full aborts the
    /// process (`Assertion failed: _input_stopped`, libzmq issues 3937 and 4767).
    public struct Heartbeat: Sendable, Hashable {
        /// The time between two pings.
        public var interval: Duration
        /// How long a peer may be silent after a ping before it counts as gone.
        public var timeout: Duration

        /// - Parameters:
        ///   - interval: the time between two pings.
        ///   - timeout: how long a peer may be silent after a ping before it counts as gone.
        public init(interval: Duration, timeout: Duration) {
            self.interval = interval
            self.timeout = timeout
        }
    }

    /// The kernel's probes of an idle connection.
    public struct TCPKeepAlive: Sendable, Hashable {
        /// Silence before the first probe; whole seconds.
        public var idle: Duration
        /// The time between two probes; whole seconds.
        public var interval: Duration
        /// The number of unanswered probes after which the connection is closed.
        public var count: Int

        /// - Parameters:
        ///   - idle: silence before the first probe; whole seconds.
        ///   - interval: the time between two probes; whole seconds.
        ///   - count: the number of unanswered probes after which the connection is closed.
        public init(idle: Duration = .seconds(30), interval: Duration = .seconds(10), count: Int = 3) {
            self.idle = idle
            self.interval = interval
            self.count = count
        }
    }

    /// Options for sockets that bind: 1024 pending connections, 3 s for the handshake, frames of at most 16 MiB, peers
    /// that are gone are distinguished from slow ones, every subscription is reported, and half a second to send queued
    /// messages.
    ///
    /// Lower ``maxMessageSize`` to the protocol's own limit; set ``heartbeat`` to notice peers that froze.
    public static var service: SocketOptions {
        var options = SocketOptions()
        options.linger = .milliseconds(500)
        options.backlog = 1024
        options.maxMessageSize = 16 << 20
        options.handshakeTimeout = .seconds(3)
        options.routerMandatory = true
        options.xpubVerbose = true
        options.tcpKeepAlive = TCPKeepAlive()
        options.tcpMaxRetransmitTimeout = .seconds(30)
        return options
    }

    /// Options for sockets that connect: reconnecting backs off from 100 ms to 10 s.
    ///
    /// The receive queue has no limit, because a full one makes libzmq 4.3.4 abort: receive messages as they arrive,
    /// and bound the queue that you put them into.
    public static var client: SocketOptions {
        var options = SocketOptions()
        options.receiveHighWaterMark = 0
        options.handshakeTimeout = .seconds(3)
        options.reconnectInterval = .milliseconds(100)
        options.reconnectIntervalMax = .seconds(10)
        options.tcpKeepAlive = TCPKeepAlive()
        options.tcpMaxRetransmitTimeout = .seconds(30)
        return options
    }
}
