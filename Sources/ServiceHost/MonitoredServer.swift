// SPDX-License-Identifier: Apache-2.0

public import Monitoring
public import Settings
import WaymarkProtocol

/// A server that a host watches while it runs, and gives new settings.
public protocol MonitoredServer: HostedServer {
    /// The reason why ``HostedServer/start()`` is waiting, in one sentence; nil if there is none. It is read even
    /// while the server's own thread is blocked.
    nonisolated var startProblem: String? { get }
    /// Returns the server's health, as far as it can be determined within a second.
    func health() async -> HealthReport

    /// The names of the settings, or of groups of settings, that ``apply(_:)`` can change while the server runs.
    var liveSettings: Set<String> { get }
    /// Applies new settings while the server runs. If it throws, nothing has changed, and the error says why in one
    /// sentence.
    func apply(_ settings: Settings) async throws

    /// Waits until the server's event loop runs a job that does nothing. The caller measures the wait.
    func turn() async
    /// Returns the server's metrics; nil while it does not run.
    func metrics() async -> [MetricFamily]?
}

extension MonitoredServer {
    public nonisolated var startProblem: String? { nil }
    public var liveSettings: Set<String> { [] }
    public func apply(_ settings: Settings) async throws {}
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
