// SPDX-License-Identifier: Apache-2.0

/// The options of one socket, all set before it binds or connects. If an option is `nil`, libzmq's own default applies,
/// which the comments here state after "libzmq:".
///
/// Start from ``service`` for a socket that binds, and from ``client`` for a socket that connects. An option that does
/// not exist for a kind of socket (such as ``routerMandatory`` for a `dealer`) is ignored.
public struct SocketOptions: Sendable {
    /// How long a closed socket goes on sending queued messages. Cannot be "forever", which is libzmq's default,
    /// because ``Context/terminate()`` may then hang.
    public var linger: Duration = .zero

    /// The maximum number of messages queued for each peer before a send blocks; 0 if unlimited. libzmq: 1000.
    public var sendHighWaterMark: Int?
    /// The maximum number of messages queued from each peer before libzmq stops reading; 0 if unlimited. libzmq: 1000.
    public var receiveHighWaterMark: Int?
    /// The maximum number of bytes in one incoming frame. A peer that sends more is disconnected, and messages that it
    /// had queued behind that frame are lost. libzmq: no limit.
    public var maxMessageSize: Int?

    /// The maximum number of connections that the kernel holds until they are accepted. libzmq: 100.
    public var backlog: Int?
    /// Whether to queue messages only for connected peers. Without one, a send blocks instead of seeming to succeed.
    ///
    /// Do not use this option for a socket that receives messages of several frames, because libzmq 4.3.4 ends the
    /// process (`Assertion failed: !_more`, fq.cpp) if the connection breaks while such a message is being read. Use a
    /// ``SocketMonitor`` to find out whether there is a connection.
    public var immediate = false
    /// For a `router`: whether to report that a peer is gone (``SendOutcome/unroutable``) instead of dropping the
    /// message.
    public var routerMandatory = false
    /// For an `xpub`: whether to report every subscription, even to a topic that has a subscriber already, so that each
    /// new subscriber can be greeted.
    public var xpubVerbose = false
    /// For an `xpub`: the first message to a new subscriber, sent if the subscriber's topic is a prefix of the message.
    public var welcomeMessage: [UInt8]?
    /// For a `req`, `rep`, `dealer` or `router`: the name by which a peer that is a `router` knows this socket. It has
    /// 1 to 255 bytes, and the first must not be 0. libzmq: the router makes up a name for each connection.
    ///
    /// A router refuses a second connection with the same name, even before it notices that the first has ended.
    public var routingID: [UInt8]?
    /// For a `req`: whether to allow the next request before the last answer has come. Without this option, a `req`
    /// whose peer ended cannot be used any more. Set ``reqCorrelate`` too, so that a late answer is not taken for a
    /// later one's.
    public var reqRelaxed = false
    /// For a `req`: whether to number the requests and drop answers to earlier requests.
    public var reqCorrelate = false

    /// How long the handshake with a peer may take. libzmq: 30 s.
    public var handshakeTimeout: Duration?
    /// The pause before connecting again. libzmq: 100 ms.
    public var reconnectInterval: Duration?
    /// The maximum of the pause, which doubles with each attempt. libzmq: the pause does not grow.
    public var reconnectIntervalMax: Duration?
    /// How long one attempt to connect may take. libzmq: the kernel's limit.
    public var connectTimeout: Duration?

    /// The pings of a connection. Only for sockets that bind, because ``Socket/connect(_:)`` throws if they are set.
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

    /// The index, from 0, of the context's I/O thread that carries this socket's connections; ignored if the context
    /// has fewer threads. libzmq: each connection goes to the thread with the fewest connections.
    ///
    /// A socket with many or busy connections delays all other sockets on its thread, because a message to 256
    /// subscribers keeps an I/O thread busy for some milliseconds.
    public var ioThread: Int?

    /// Encryption and authentication; `nil` if everyone may connect and nothing is encrypted.
    public var security: SocketSecurity?

    /// Makes options with libzmq's defaults, except for ``linger``.
    public init() {}

    /// ZMTP's PING and PONG, which the peer's I/O thread answers.
    ///
    /// With libzmq 4.3.4, a *connecting* socket that sends pings aborts the process (`Assertion failed:
    /// _input_stopped`, libzmq issues 3937 and 4767) if it does not receive until its receive queue is full.
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
        /// The time of silence before the first probe, in whole seconds.
        public var idle: Duration
        /// The time between two probes, in whole seconds.
        public var interval: Duration
        /// The number of unanswered probes after which the connection is closed.
        public var count: Int

        /// - Parameters:
        ///   - idle: the time of silence before the first probe, in whole seconds.
        ///   - interval: the time between two probes, in whole seconds.
        ///   - count: the number of unanswered probes after which the connection is closed.
        public init(idle: Duration = .seconds(30), interval: Duration = .seconds(10), count: Int = 3) {
            self.idle = idle
            self.interval = interval
            self.count = count
        }
    }

    /// Options for sockets that bind: 1024 pending connections, 3 s for the handshake, frames of at most 16 MiB, and
    /// half a second to send queued messages after closing. A `router` reports lost peers, and an `xpub` each
    /// subscription.
    ///
    /// Lower ``maxMessageSize`` to the limit of your protocol, and set ``heartbeat`` to notice peers that froze.
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

    /// Options for sockets that connect: the pause before reconnecting grows from 100 ms to 10 s.
    ///
    /// The receive queue has no limit, because libzmq 4.3.4 may abort when it is full. So receive messages as they
    /// arrive, and limit the queue into which you put them.
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
