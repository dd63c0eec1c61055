// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ
internal import Glibc

extension SocketOptions {
    /// Sets all options on a socket that has neither bound nor connected yet.
    func apply(to socket: UnsafeMutableRawPointer, kind: Socket.Kind, ioThreads: Int) throws(ZeroMQError) {
        let setter = OptionSetter(socket: socket)
        // An affinity mask without any thread of the context would make every bind fail.
        if let ioThread, (0..<min(ioThreads, 63)).contains(ioThread) {
            try setter.set(ZMQ_AFFINITY, raw: Int64(1) << ioThread, "ZMQ_AFFINITY")
        }
        guard linger >= .zero else { throw ZeroMQError("ZMQ_LINGER", errno: EINVAL) }
        try setter.set(ZMQ_LINGER, linger, "ZMQ_LINGER")
        try setter.set(ZMQ_SNDHWM, sendHighWaterMark, "ZMQ_SNDHWM")
        try setter.set(ZMQ_RCVHWM, receiveHighWaterMark, "ZMQ_RCVHWM")
        if let maxMessageSize { try setter.set(ZMQ_MAXMSGSIZE, raw: Int64(maxMessageSize), "ZMQ_MAXMSGSIZE") }
        try setter.set(ZMQ_BACKLOG, backlog, "ZMQ_BACKLOG")
        try setter.set(ZMQ_IMMEDIATE, immediate ? 1 : nil, "ZMQ_IMMEDIATE")
        try setter.set(ZMQ_HANDSHAKE_IVL, handshakeTimeout, "ZMQ_HANDSHAKE_IVL")
        try setter.set(ZMQ_RECONNECT_IVL, reconnectInterval, "ZMQ_RECONNECT_IVL")
        try setter.set(ZMQ_RECONNECT_IVL_MAX, reconnectIntervalMax, "ZMQ_RECONNECT_IVL_MAX")
        try setter.set(ZMQ_CONNECT_TIMEOUT, connectTimeout, "ZMQ_CONNECT_TIMEOUT")
        try setter.set(ZMQ_HEARTBEAT_IVL, heartbeat?.interval, "ZMQ_HEARTBEAT_IVL")
        try setter.set(ZMQ_HEARTBEAT_TIMEOUT, heartbeat?.timeout, "ZMQ_HEARTBEAT_TIMEOUT")
        if let tcpKeepAlive {
            try setter.set(ZMQ_TCP_KEEPALIVE, 1, "ZMQ_TCP_KEEPALIVE")
            try setter.set(ZMQ_TCP_KEEPALIVE_IDLE, Int(tcpKeepAlive.idle.components.seconds), "ZMQ_TCP_KEEPALIVE_IDLE")
            try setter.set(
                ZMQ_TCP_KEEPALIVE_INTVL, Int(tcpKeepAlive.interval.components.seconds), "ZMQ_TCP_KEEPALIVE_INTVL")
            try setter.set(ZMQ_TCP_KEEPALIVE_CNT, tcpKeepAlive.count, "ZMQ_TCP_KEEPALIVE_CNT")
        }
        try setter.set(ZMQ_TCP_MAXRT, tcpMaxRetransmitTimeout, "ZMQ_TCP_MAXRT")
        try setter.set(ZMQ_SNDBUF, kernelSendBuffer, "ZMQ_SNDBUF")
        try setter.set(ZMQ_RCVBUF, kernelReceiveBuffer, "ZMQ_RCVBUF")
        try setter.set(ZMQ_IPV6, ipv6 ? 1 : nil, "ZMQ_IPV6")
        try applyPattern(setter, kind)
        try security?.apply(setter)
    }

    private func applyPattern(_ setter: OptionSetter, _ kind: Socket.Kind) throws(ZeroMQError) {
        if kind == .router { try setter.set(ZMQ_ROUTER_MANDATORY, routerMandatory ? 1 : nil, "ZMQ_ROUTER_MANDATORY") }
        if kind == .req {
            try setter.set(ZMQ_REQ_RELAXED, reqRelaxed ? 1 : nil, "ZMQ_REQ_RELAXED")
            try setter.set(ZMQ_REQ_CORRELATE, reqCorrelate ? 1 : nil, "ZMQ_REQ_CORRELATE")
        }
        if let routingID, kind == .req || kind == .rep || kind == .dealer || kind == .router {
            // libzmq reserves routing ids that begin with zero for itself, but does not refuse them.
            guard routingID.first != 0 else { throw ZeroMQError("ZMQ_ROUTING_ID", errno: EINVAL) }
            try setter.set(ZMQ_ROUTING_ID, routingID, "ZMQ_ROUTING_ID")
        }
        if kind == .xpub {
            try setter.set(ZMQ_XPUB_VERBOSE, xpubVerbose ? 1 : nil, "ZMQ_XPUB_VERBOSE")
            if let welcomeMessage { try setter.set(ZMQ_XPUB_WELCOME_MSG, welcomeMessage, "ZMQ_XPUB_WELCOME_MSG") }
        }
    }
}

/// Calls `zmq_setsockopt` with the three types that it takes: an `int`, an `int64_t` or bytes.
struct OptionSetter {
    let socket: UnsafeMutableRawPointer

    func set(_ option: Int32, _ value: Int?, _ name: String) throws(ZeroMQError) {
        guard let value else { return }
        guard let number = Int32(exactly: value) else { throw ZeroMQError(name, errno: EINVAL) }
        try set(option, raw: number, name)
    }

    /// Sets an option in milliseconds, rounded up because a short duration must not become 0, which often means "off".
    func set(_ option: Int32, _ duration: Duration?, _ name: String) throws(ZeroMQError) {
        guard let duration else { return }
        try set(option, duration.roundedUpMilliseconds, name)
    }

    func set(_ option: Int32, raw value: some BitwiseCopyable, _ name: String) throws(ZeroMQError) {
        let result = withUnsafeBytes(of: value) { zmq_setsockopt(socket, option, $0.baseAddress, $0.count) }
        if result != 0 { throw ZeroMQError(name) }
    }

    func set(_ option: Int32, _ bytes: [UInt8], _ name: String) throws(ZeroMQError) {
        if zmq_setsockopt(socket, option, bytes, bytes.count) != 0 { throw ZeroMQError(name) }
    }
}

extension Duration {
    var roundedUpMilliseconds: Int { Int(clamping: (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000) }
}
