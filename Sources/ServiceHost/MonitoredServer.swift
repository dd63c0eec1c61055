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
    public init(_ server: some MonitoredServer, in registry: MetricsRegistry) {
        let metrics = server.metrics(in: registry)
        self.init(
            turn: { await server.turn() }, problems: { await server.health().problems },
            collect: { await metrics.collect() })
    }
}
