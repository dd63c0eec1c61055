// SPDX-License-Identifier: Apache-2.0

public import ServiceLifecycle

/// A server that is started and stopped.
public protocol HostedServer: Sendable {
    /// The endpoints where clients reach the server.
    associatedtype Endpoints: Sendable

    /// Begins to serve. An error must say in one sentence what to do.
    func start() async throws -> Endpoints
    /// Accepts no more requests, finishes or refuses the requests that have arrived, and releases everything. May also
    /// be called after ``start()`` has failed.
    func stop() async
    /// Interrupts a ``start()`` that is waiting, if that is possible.
    func abandonStart() async
    /// Waits until the server cannot continue, and returns the reason; nil if the task was cancelled.
    func failure() async -> (any Error)?
}

extension HostedServer {
    public func abandonStart() async {}
    public func failure() async -> (any Error)? {
        // The stream never produces an element, so only cancellation ends the wait.
        for await _ in AsyncStream<Never>.makeStream().stream {}
        return nil
    }
}

/// Runs a server as part of a service group. The server starts, and stops when the group stops or the server fails.
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

    /// Waits until the group stops or the server cannot continue.
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

    /// Stops the server in a new task. If another service of the group has failed, the present task is cancelled, and a
    /// cancelled task cannot wait for anything.
    private func stop() async {
        await Task { [server] in await server.stop() }.value
    }
}
