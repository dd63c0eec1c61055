// SPDX-License-Identifier: Apache-2.0

public import Monitoring
import WaymarkProtocol

/// A server whose metrics can be collected while it runs.
public protocol MonitoredServer: HostedServer {
    /// Waits for a turn on the server's loop, to measure the wait. Does nothing in the turn.
    func turn() async
    /// The server's numbers; nil while it does not run.
    func metrics() async -> [MetricFamily]?
}

extension MonitoringPages {
    /// The pages of a server.
    ///
    /// - Parameters:
    ///   - startup: until it is over, the server is not called.
    ///   - beside: what runs beside the server; nil: nothing with metrics.
    public convenience init(
        _ server: some MonitoredServer, service: String, after startup: Startup, beside: (any MetricsSource)? = nil,
        patience: Duration = MonitoringPages.patience
    ) {
        let build = ProcessMetrics.build(version: Product.version, service: service)
        self.init(
            turn: { if startup.isOver { await server.turn() } },
            problems: { startup.isOver ? await server.health().problems : [server.startProblem ?? Startup.sentence] },
            collect: { startup.isOver ? await server.metrics() : nil },
            others: { [build] + ProcessMetrics.families + (beside?.families ?? []) }, patience: patience)
    }
}
