// SPDX-License-Identifier: Apache-2.0

public import ServiceLifecycle
public import Settings

/// A server that a host starts and stops.
public protocol HostedServer: Sendable {
    /// The endpoints where it can be reached.
    associatedtype Endpoints: Sendable

    /// Begins to serve. An error says in one sentence what to do.
    func start() async throws -> Endpoints
    /// Drains: accepts no more requests, finishes or refuses what has arrived, and releases everything. May also be
    /// called after ``start()`` failed.
    func stop() async
    /// The server's health, as far as it can be determined within a second.
    func health() async -> HealthReport

    /// The settings, or groups of them, that ``apply(_:)`` can change while the server runs.
    var liveSettings: Set<String> { get }
    /// Applies new settings while the server runs. Either all are applied, or it throws one sentence and nothing
    /// changes.
    func apply(_ settings: Settings) async throws
}

extension HostedServer {
    public var liveSettings: Set<String> { [] }
    public func apply(_ settings: Settings) async throws {}
}

/// Runs a server as part of a service group: it starts, waits, and stops when the group stops.
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

    /// Runs in a new task: if another service of the group failed, this task is cancelled, and nothing can be awaited
    /// in a cancelled task.
    private func stop() async {
        await Task { [server] in await server.stop() }.value
    }
}
