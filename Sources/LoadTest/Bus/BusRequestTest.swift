// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// The bus under test: its endpoints, and the security of the connections to them.
public struct BusTarget: Hashable, Sendable {
    /// The endpoint to which messages are sent; nil for another end in this process, over TCP on loopback.
    public var endpoint: String?
    /// The endpoint from which one-way messages are received. Without it, sending to an endpoint is timed.
    public var receive: String?
    /// The security of the connections to both endpoints; nil for neither encryption nor a password.
    public var security: SocketSecurity?

    public init(endpoint: String? = nil, receive: String? = nil, security: SocketSecurity? = nil) {
        (self.endpoint, self.receive, self.security) = (endpoint, receive, security)
    }

    /// Makes the options of a socket that connects to one of the endpoints; nil for an end in this process, which knows
    /// no security. Calls the system's resolver, which may block the thread for seconds.
    public func options(for endpoint: String?) -> SocketOptions {
        var options = SocketOptions.client
        guard let endpoint else { return options }
        (options.ipv6, options.security) = (EndpointFamily.resolvesToIPv6(endpoint), security)
        return options
    }
}

/// A request test of any bus: of a REP or ROUTER socket of another program, or of an echo server in this process.
public struct BusRequestTest: Sendable {
    /// The peer that answers requests; without an endpoint, an echo server in this process.
    public var target = BusTarget()
    public var message: BusMessage
    /// The size of the echo server's answers in bytes; nil if an answer is as large as its request.
    public var answerBytes: Int?
    /// The echo server in this process needs no numbers: with it, `numbered` counts as `echo`.
    public var envelope = BusRequestPort.Envelope.numbered
    public var timeout: UInt64
    /// The pause that the echo server in this process makes; nil if it makes none.
    public var stall: EchoServer.Stall?
    /// The time in nanoseconds for which the echo server in this process is busy before each answer.
    public var delay: UInt64 = 0
    /// Whether the run over the bare bus uses CURVE encryption.
    public var encryptsBare = false

    /// - Parameter size: the size of a request in bytes.
    public init(size: Int = 64, answerBytes: Int? = nil, timeout: UInt64 = 5_000_000_000) {
        (message, self.answerBytes, self.timeout) = (BusMessage(.fixed(size)), answerBytes, timeout)
    }

    public func run(_ shape: LoadShape, _ watch: LoadWatch) async throws -> LoadResult {
        if let endpoint = target.endpoint { return try await ask(endpoint, envelope, shape, watch) }
        // Client and server each have their own context and therefore their own I/O thread, as two processes have.
        let server = try EchoServer(answerBytes: answerBytes, stall: stall, delay: delay)
        let result = await Task {
            try await ask(server.start(Context()), envelope == .dealer ? .dealer : .echo, shape, watch)
        }.result
        await server.stop()
        return try result.get()
    }

    /// Runs the same traffic with plain calls of libzmq, with client and server in this process.
    public func runBare(_ shape: LoadShape, _ watch: LoadWatch) async throws -> LoadResult {
        let (size, keys) = try (message.usualBytes, encryptsBare ? CurveKeyPair.generate() : nil)
        let server = try await BareEchoServer(requestBytes: size, answerBytes: answerBytes, keys: keys)
        defer { server.stop() }
        return try await LoadThread.run {
            let context = try Context(maxSockets: shape.clients + 16)
            let ports = try (0..<shape.clients).map { _ in
                try BareRequestPort(
                    context, endpoint: server.endpoint, size: size, most: max(size, answerBytes ?? 0),
                    server: keys?.publicKey)
            }
            return try RequestGenerator(watch: watch, timeout: timeout).run(ports, shape)
        }
    }

    private func ask(
        _ endpoint: String, _ envelope: BusRequestPort.Envelope, _ shape: LoadShape, _ watch: LoadWatch
    ) async throws -> LoadResult {
        try await LoadThread.run {
            let context = try Context(maxSockets: shape.clients + 16)
            let options = target.options(for: target.endpoint)
            let ports = try (0..<shape.clients).map { _ in
                try BusRequestPort(
                    context, endpoint: endpoint, options: options, message: message, envelope: envelope,
                    seed: shape.seed)
            }
            return try RequestGenerator(watch: watch, timeout: timeout).run(ports, shape)
        }
    }
}
