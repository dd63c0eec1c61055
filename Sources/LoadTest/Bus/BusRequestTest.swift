// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// A test with requests of any bus: a REP or ROUTER socket somewhere, or an echo in this process.
public struct BusRequestTest: Sendable {
    /// Where requests are answered; nil: in this process, over TCP on loopback.
    public var endpoint: String?
    /// Bytes of a request.
    public var size: Int
    /// Bytes of an answer of the echo in this process; nil: as many as the request has.
    public var answerBytes: Int?
    /// The other end gives each request back, and in any order. That of this process does.
    public var isEcho: Bool
    public var timeout: UInt64
    /// Of the echo in this process.
    public var stall: EchoServer.Stall?
    /// Nanoseconds of work that an answer takes of the echo in this process.
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

    /// The same traffic with plain calls of libzmq, both ends in this process.
    public func runBare(_ shape: LoadShape, _ watch: LoadWatch) async throws -> LoadResult {
        let server = try BareEchoServer(requestBytes: size, answerBytes: answerBytes)
        let most = max(size, answerBytes ?? 0)
        do {
            let result = try await LoadThread.run { [endpoint = server.endpoint] in
                let context = BareContext(sockets: shape.clients)
                let ports = try (0..<shape.clients).map { _ in
                    try BareRequestPort(context, endpoint: endpoint, size: size, most: most)
                }
                return LoadResult(try generator(watch).run(ports, shape), shape)
            }
            try await LoadThread.run { server.stop() }
            return result
        } catch {
            try await LoadThread.run { server.stop() }
            throw error
        }
    }

    private func runBothEnds(_ shape: LoadShape, _ watch: LoadWatch) async throws -> LoadResult {
        // Its own, as another process has: each end has an I/O thread.
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
            let ports = try (0..<shape.clients).map { _ in
                try BusRequestPort(context, endpoint: endpoint, size: size, isEcho: isEcho)
            }
            return LoadResult(try generator(watch).run(ports, shape), shape)
        }
    }

    private func generator(_ watch: LoadWatch) -> RequestGenerator {
        var generator = RequestGenerator()
        (generator.watch, generator.timeout) = (watch, timeout)
        return generator
    }
}
