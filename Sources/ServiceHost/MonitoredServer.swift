// SPDX-License-Identifier: Apache-2.0

public import Monitoring
import WaymarkProtocol

/// A server whose metrics can be collected while it runs.
public protocol MonitoredServer: HostedServer {
    /// Waits for a turn on the server's loop and does nothing in it: only the wait is measured.
    func turn() async
    /// The server's metrics; nil while it does not run.
    func metrics() async -> [MetricFamily]?
}

extension MonitoringPages {
    /// The pages of a server.
    ///
    /// - Parameters:
    ///   - startup: the server is not called until it is over.
    ///   - beside: a component beside the server with metrics of its own; nil: none.
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
