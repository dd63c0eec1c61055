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
    /// Ends a ``start()`` that waits for something, if it can.
    func abandonStart() async
    /// What ``start()`` waits for, in a sentence; nil for nothing special. It is asked also while the server's own thread is
    /// blocked.
    nonisolated var startProblem: String? { get }
    /// Waits until the server cannot go on, and returns why; nil when the task was cancelled.
    func failure() async -> (any Error)?
    /// The server's health, as far as it can be determined within a second.
    func health() async -> HealthReport

    /// The settings, or groups of them, that ``apply(_:)`` can change while the server runs.
    var liveSettings: Set<String> { get }
    /// Applies new settings while the server runs. Either all are applied, or it throws one sentence and nothing
    /// changes.
    func apply(_ settings: Settings) async throws
}

extension HostedServer {
    public func abandonStart() async {}
    public nonisolated var startProblem: String? { nil }
    public func failure() async -> (any Error)? {
        // Never, until it is cancelled.
        for await _ in AsyncStream<Never>.makeStream().stream {}
        return nil
    }
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
            _ = try await withGracefulShutdownHandler {
                try await server.start()
            } onGracefulShutdown: { [server] in
                Task { await server.abandonStart() }
            }
            startup.end()
        } catch {
            await stop()
            if Task.isShuttingDownGracefully { return }
            throw error
        }
        let failure = await end()
        await stop()
        if let failure { throw failure }
    }

    /// Waits until the group stops, or the server cannot go on.
    private func end() async -> (any Error)? {
        await withTaskGroup(of: (any Error)?.self) { [server] group in
            group.addTask {
                try? await gracefulShutdown()
                return nil
            }
            group.addTask { await server.failure() }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }

    /// Runs in a new task: if another service of the group failed, this task is cancelled, and nothing can be awaited
    /// in a cancelled task.
    private func stop() async {
        await Task { [server] in await server.stop() }.value
    }
}
