// SPDX-License-Identifier: Apache-2.0

public import Monitoring

/// A server whose metrics can be collected while it runs.
public protocol MonitoredServer: HostedServer {
    /// Waits for a turn on the server's loop, to measure the wait. Does nothing in the turn.
    func turn() async
    /// The object that copies the server's numbers into `registry`.
    nonisolated func metrics(in registry: MetricsRegistry) -> any MetricsSource
}

extension Monitored {
    /// Connects a server with the monitoring listener; its metrics are in `registry`.
    ///
    /// - Parameter startup: until it is over, the server is not called.
    public init(_ server: some MonitoredServer, in registry: MetricsRegistry, after startup: Startup) {
        let metrics = server.metrics(in: registry)
        self.init(
            turn: { if startup.isOver { await server.turn() } },
            problems: { startup.isOver ? await server.health().problems : [server.startProblem ?? Startup.sentence] },
            collect: { if startup.isOver { await metrics.collect() } })
    }
}
