// SPDX-License-Identifier: Apache-2.0

public import Monitoring
import WaymarkProtocol

/// A server whose metrics can be collected while it runs.
public protocol MonitoredServer: HostedServer {
    /// Waits until the server's event loop runs a job that does nothing. The caller measures the wait.
    func turn() async
    /// Returns the server's metrics; nil while it does not run.
    func metrics() async -> [MetricFamily]?
}

extension MonitoringPages {
    /// Makes the pages of a server.
    ///
    /// - Parameters:
    ///   - startup: the start of the server. The server is not called before the start is over.
    ///   - beside: the components that run beside the server and have metrics of their own.
    public convenience init(
        _ server: some MonitoredServer, service: String, after startup: Startup, beside: [any MetricsSource] = [],
        patience: Duration = MonitoringPages.patience
    ) {
        let build = ProcessMetrics.build(version: Product.version, service: service)
        self.init(
            turn: { if startup.isOver { await server.turn() } },
            problems: { startup.isOver ? await server.health().problems : [server.startProblem ?? Startup.sentence] },
            collect: { startup.isOver ? await server.metrics() : nil },
            others: { [build] + ProcessMetrics.families + beside.flatMap(\.families) }, patience: patience)
    }
}
