// SPDX-License-Identifier: Apache-2.0

internal import HummingbirdCore
package import Logging
internal import MapPage
package import Monitoring
internal import NIOCore
internal import ServiceHost
internal import ServiceLifecycle
internal import WaymarkClient
package import WaymarkTransport
package import WebServer
package import ZeroMQ

/// The HTTP interface of a query service. It is a client of the service, so that limits, forwarding of writes, and
/// reading one's own writes work for HTTP as for all other clients. Reads go to the service in process, all other
/// requests to its endpoint.
package struct WebListener: Service, MetricsSource {
    private let options: WebOptions
    private let endpoint: @Sendable () async -> String?
    private let local: LocalRequests?
    private let access: WebAccess?
    private let context: Context?
    private let logger: Logger
    private let metrics: WebMetrics
    private let listening: @Sendable (ListenAddress) -> Void

    /// - Parameters:
    ///   - endpoint: returns the query service's endpoint as soon as the service listens; nil if it never will.
    ///   - local: the requests of the query service in this process; nil to send reads to its endpoint too.
    ///   - access: the access to accounts; nil if accounts are not required.
    ///   - context: the ZeroMQ context of the process.
    ///   - metrics: the counters to use.
    ///   - listening: called with the address and the actual port.
    package init(
        _ options: WebOptions, endpoint: @escaping @Sendable () async -> String?, local: LocalRequests? = nil,
        access: WebAccess? = nil, context: Context? = nil, logger: Logger, metrics: WebMetrics = WebMetrics(),
        listening: @escaping @Sendable (ListenAddress) -> Void = { _ in }
    ) {
        (self.options, self.endpoint, self.local) = (options, endpoint, local)
        (self.access, self.context) = (access, context)
        (self.logger, self.metrics, self.listening) = (logger, metrics, listening)
    }

    package var families: [MetricFamily] { metrics.families }

    /// - Throws: `ListenRule.Refusal` if it must not listen, `HTTPListenerError` if it cannot.
    package func run() async throws {
        try ListenRule.check(
            "tcp://\(options.address)", insecure: options.isInsecure,
            // A secret from another machine is accepted only through a trusted proxy.
            secured: access != nil && !options.proxies.isEmpty)
        // The page's files are prepared once, and nobody should wait for that.
        Task.detached { _ = PageAsset.at("/") }
        let found = await cancelWhenGracefulShutdown { [endpoint] in await endpoint() }
        guard let endpoint = found, !Task.isShuttingDownGracefully else { return }
        var reaching = ClientOptions(
            endpoint: endpoint, timeout: options.timeout, agent: "waymark-web",
            keys: access.map { ClientKeys(own: $0.keys, server: $0.keys.publicKey) })
        reaching.local = local
        let client = try await WaymarkClient(reaching, context: context)
        let connections = OpenFiles.webConnections(wanted: options.connections)
        // If there are few file descriptors, some connections must remain for requests other than streams.
        var bounded = options
        bounded.readers = min(options.readers, max(connections * 4 / 5, connections - 1_000))
        let hub = ChangeHub(bounded, metrics)
        let following = Task { [logger] in await hub.follow(client, logger) }
        let router = WebRouter(
            WebContext(
                client: client, hub: hub, links: LinkDesk(hub, client), options: options,
                gate: WebGate(access: access)), logger: logger)
        var limits = HTTPLimits(connections: connections, queue: 1_024)
        limits.standsForMany = { [proxies = options.proxies] in $0.isLoopback ? true : await proxies.contains($0) }
        limits.request = .milliseconds(Int64(options.request / .milliseconds(1)))
        limits.unread = .milliseconds(Int64(options.unread / .milliseconds(1)))
        let listener = HTTPListener(
            options.address, setting: "web.listen", limits: limits, logger: logger,
            listening: { [logger, listening] bound in
                logger.info("web listening", metadata: ["web": "\(bound)"])
                listening(bound)
            },
            stalled: { [logger, metrics] in
                metrics.closedStalled()
                logger.debug("web connection closed: its client does not read")
            },
            respond: { await router.respond(to: $0, from: $1) })
        func end() async {
            hub.close()
            following.cancel()
            await client.close()
        }
        do {
            try await withGracefulShutdownHandler {
                try await listener.run()
            } onGracefulShutdown: {
                hub.close()
            }
        } catch {
            await end()
            throw error
        }
        await end()
    }
}
