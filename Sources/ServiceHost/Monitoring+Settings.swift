// SPDX-License-Identifier: Apache-2.0

public import Logging
import Metrics
public import Monitoring
public import ServiceLifecycle
public import Settings
import WebServer
import WaymarkProtocol
import WaymarkTransport

extension MonitoringListener {
    /// The listener that the settings configure, with the metrics of `server`; nil if they configure none.
    ///
    /// Call it once in a process: from then on it also shows what libraries record with swift-metrics. The listener
    /// refuses to run where other machines could reach it, unless `insecure` or `http.insecure` is set.
    public static func configured(
        by settings: Settings, service: String, for server: some MonitoredServer, after startup: Startup, logger: Logger
    ) -> (any Service)? {
        guard let text = settings.optionalString("http.listen"), let address = ListenAddress(text) else { return nil }
        let registry = MetricsRegistry()
        MetricsSystem.bootstrap(registry)
        let pages = MonitoringPages(server, service: service, in: registry, after: startup)
        let isInsecure = settings.bool("insecure") || settings.bool("http.insecure")
        return MonitoringListener(
            address, pages: pages, logger: logger,
            rule: { try ListenRule.check("tcp://\($0)", insecure: isInsecure) })
    }
}

extension MonitoringPages {
    /// The pages of a server, whose metrics it adds to `registry`.
    public convenience init(
        _ server: some MonitoredServer, service: String, in registry: MetricsRegistry, after startup: Startup
    ) {
        ProcessMetrics.tell(version: Product.version, service: service, in: registry)
        self.init(Monitored(server, in: registry, after: startup), registry: registry)
    }
}
