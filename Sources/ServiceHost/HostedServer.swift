// SPDX-License-Identifier: Apache-2.0

public import ServiceLifecycle
public import Settings

/// A server that a host starts and stops.
public protocol HostedServer: Sendable {
    /// Where it can be reached.
    associatedtype Endpoints: Sendable

    /// Begins to serve. What it throws says in one sentence what to do.
    func start() async throws -> Endpoints
    /// Drains: takes no more, finishes or refuses what has arrived, and lets go of everything. May be called also when
    /// ``start()`` failed.
    func stop() async
    /// How it is, as far as it can tell within a second.
    func health() async -> HealthReport

    /// The settings, or groups of them, that ``apply(_:)`` takes over while it runs.
    var liveSettings: Set<String> { get }
    /// Takes over what may change while it runs: all of it, or it throws one sentence and nothing has changed.
    func apply(_ settings: Settings) async throws
}

extension HostedServer {
    public var liveSettings: Set<String> { [] }
    public func apply(_ settings: Settings) async throws {}
}

/// A server as a service of a group: it starts, stays, and stops when the group is told to.
public struct ServerRunner<Server: HostedServer>: Service {
    public let server: Server
    private let startup: Startup

    public init(_ server: Server, _ startup: Startup = Startup()) {
        self.server = server
        self.startup = startup
    }

    public func run() async throws {
        do {
            _ = try await server.start()
            startup.end()
        } catch {
            await stop()
            throw error
        }
        try? await gracefulShutdown()
        await stop()
    }

    /// In a task of its own: where another service of the group has failed this one is cancelled, and in a cancelled
    /// task nothing can be waited for.
    private func stop() async {
        await Task { [server] in await server.stop() }.value
    }
}
