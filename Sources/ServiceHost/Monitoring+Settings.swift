// SPDX-License-Identifier: Apache-2.0

public import Logging
import Metrics
public import Monitoring
public import ServiceLifecycle
public import Settings
import WaymarkProtocol
import WaymarkTransport

extension MonitoringListener {
    /// The listener that the settings ask for, with the metrics of `server`; nil: they ask for none.
    ///
    /// Once in a process: what libraries record with swift-metrics is shown too from then on. Where other machines could
    /// reach it, and `insecure` is not set, it refuses to run.
    public static func configured(
        by settings: Settings, service: String, for server: some MonitoredServer, after startup: Startup, logger: Logger
    ) -> (any Service)? {
        guard let text = settings.optionalString("http.listen"), let address = ListenAddress(text) else { return nil }
        let registry = MetricsRegistry()
        MetricsSystem.bootstrap(registry)
        let pages = MonitoringPages(server, service: service, in: registry, after: startup)
        let isInsecure = settings.bool("insecure")
        return MonitoringListener(
            address, pages: pages, logger: logger,
            rule: { try ListenRule.check("tcp://\($0)", insecure: isInsecure) })
    }
}

extension MonitoringPages {
    /// The pages of a server; its metrics are in `registry` from now on.
    public convenience init(
        _ server: some MonitoredServer, service: String, in registry: MetricsRegistry, after startup: Startup
    ) {
        ProcessMetrics.tell(version: Product.version, service: service, in: registry)
        self.init(Monitored(server, in: registry, after: startup), registry: registry)
    }
}
