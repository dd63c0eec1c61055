// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// A request test of any bus: of a REP or ROUTER socket elsewhere, or of an echo in this process.
public struct BusRequestTest: Sendable {
    /// The endpoint that answers requests; nil for an echo in this process, over TCP on loopback.
    public var endpoint: String?
    /// The bytes of a request.
    public var size: Int
    /// The size of the answers of the echo in this process; nil for the size of the request.
    public var answerBytes: Int?
    /// Whether the other end returns each request, in any order, as the echo in this process does.
    public var isEcho: Bool
    public var timeout: UInt64
    /// The pause that the echo in this process makes.
    public var stall: EchoServer.Stall?
    /// The nanoseconds that the echo in this process works for each answer.
    public var delay: UInt64

    public init(
        endpoint: String? = nil, size: Int = 64, answerBytes: Int? = nil, isEcho: Bool = false,
        timeout: UInt64 = 5_000_000_000, stall: EchoServer.Stall? = nil,
        delay: UInt64 = 0
    ) {
        (self.endpoint, self.size, self.answerBytes, self.isEcho) = (endpoint, size, answerBytes, isEcho)
        (self.timeout, self.stall, self.delay) = (timeout, stall, delay)
    }

    public func run(_ shape: LoadShape, _ watch: LoadWatch) async throws -> LoadResult {
        guard let endpoint else { return try await runBothEnds(shape, watch) }
        return try await ask(endpoint, isEcho: isEcho, shape, watch)
    }

    /// Runs the same traffic with plain calls of libzmq, both ends in this process.
    public func runBare(_ shape: LoadShape, _ watch: LoadWatch) async throws -> LoadResult {
        try await runBare(keys: nil, shape, watch)
    }

    /// Runs the same traffic with plain calls of libzmq, encrypted by CURVE.
    public func runBareEncrypted(_ shape: LoadShape, _ watch: LoadWatch) async throws -> LoadResult {
        try await runBare(keys: try .generate(), shape, watch)
    }

    private func runBare(keys: CurveKeyPair?, _ shape: LoadShape, _ watch: LoadWatch) async throws -> LoadResult {
        try await LoadThread.run {
            let server = try BareEchoServer(requestBytes: size, answerBytes: answerBytes, keys: keys)
            defer { server.stop() }
            let context = BareContext(sockets: shape.clients)
            let most = max(size, answerBytes ?? 0)
            let ports = try (0..<shape.clients).map { _ in
                try BareRequestPort(
                    context, endpoint: server.endpoint, size: size, most: most, server: keys?.publicKey)
            }
            return try RequestGenerator(watch: watch, timeout: timeout).run(ports, shape)
        }
    }

    private func runBothEnds(_ shape: LoadShape, _ watch: LoadWatch) async throws -> LoadResult {
        // Each end has a context of its own, and so an I/O thread, as two processes have.
        let context = try Context()
        let server = try EchoServer(answerBytes: answerBytes, stall: stall, delay: delay)
        let endpoint = try await server.start(context)
        do {
            let result = try await ask(endpoint, isEcho: true, shape, watch)
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }

    private func ask(
        _ endpoint: String, isEcho: Bool, _ shape: LoadShape, _ watch: LoadWatch
    ) async throws -> LoadResult {
        try await LoadThread.run {
            let context = try Context(maxSockets: shape.clients + 16)
            let ipv6 = EndpointFamily.resolvesToIPv6(endpoint)
            let ports = try (0..<shape.clients).map { _ in
                try BusRequestPort(context, endpoint: endpoint, size: size, isEcho: isEcho, ipv6: ipv6)
            }
            return try RequestGenerator(watch: watch, timeout: timeout).run(ports, shape)
        }
    }
}
