// SPDX-License-Identifier: Apache-2.0

public import Monitoring

/// A server that can be watched while it runs.
public protocol MonitoredServer: HostedServer {
    /// Has a turn on the server's loop and does nothing in it.
    func turn() async
    /// What brings the server's numbers into `registry`.
    nonisolated func metrics(in registry: MetricsRegistry) -> any MetricsSource
}

extension Monitored {
    /// A server as the listener sees it, its numbers in `registry`.
    ///
    /// - Parameter startup: until it is over the server is not asked.
    public init(_ server: some MonitoredServer, in registry: MetricsRegistry, after startup: Startup) {
        let metrics = server.metrics(in: registry)
        self.init(
            turn: { if startup.isOver { await server.turn() } },
            problems: { startup.isOver ? await server.health().problems : [Startup.sentence] },
            collect: { if startup.isOver { await metrics.collect() } })
    }
}
