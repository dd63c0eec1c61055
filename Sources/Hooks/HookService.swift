// SPDX-License-Identifier: Apache-2.0

package import Logging
package import Monitoring
internal import ServiceLifecycle
internal import WaymarkClient
internal import WaymarkProtocol
package import WaymarkTransport
internal import Web
package import ZeroMQ

/// Delivers hooks beside a query service. It is a client of the service, as the HTTP interface is.
package struct HookService: Service, MetricsSource {
    /// The maximum number of hooks. Storage allows no more.
    private static let mostHooks = 20_000

    private let options: HookOptions
    private let endpoint: @Sendable () async -> String?
    private let local: LocalRequests?
    private let keys: CurveKeyPair?
    private let context: Context?
    private let logger: Logger
    private let metrics = HookMetrics()

    /// - Parameters:
    ///   - endpoint: returns the query service's endpoint as soon as the service listens; nil if it never will.
    ///   - local: the requests of the query service in this process; nil to send reads to its endpoint too.
    ///   - keys: the service's own keys; nil if accounts are not required.
    ///   - context: the ZeroMQ context of the process.
    package init(
        _ options: HookOptions, endpoint: @escaping @Sendable () async -> String?, local: LocalRequests? = nil,
        keys: CurveKeyPair? = nil, context: Context? = nil, logger: Logger
    ) {
        (self.options, self.endpoint, self.local) = (options, endpoint, local)
        (self.keys, self.context, self.logger) = (keys, context, logger)
    }

    package var families: [MetricFamily] { metrics.families }

    package func run() async throws {
        let found = await cancelWhenGracefulShutdown { [endpoint] in await endpoint() }
        guard let endpoint = found, !Task.isShuttingDownGracefully else { return }
        var reaching = ClientOptions(
            endpoint: endpoint, agent: "waymark-hooks",
            keys: keys.map { ClientKeys(own: $0, server: $0.publicKey) })
        reaching.local = local
        let client = try await WaymarkClient(reaching, context: context)
        let clock = HookClock.system
        var ids = UUIDv7Generator()
        let desk = HookDesk(
            HookTurns(service: ids.next(now: clock.unix()).wire), options, work(client, clock), clock: clock,
            metrics: metrics, logger: logger)
        await cancelWhenGracefulShutdown { await desk.run() }
        await client.close()
    }

    private func work(_ client: WaymarkClient, _ clock: HookClock) -> HookDesk.Work {
        let feed = Locked<FollowedChanges?>(nil)
        let seats = HookDelivery.Seats(most: HookDelivery.mostTries) { $0 }
        let deliver = { @Sendable [options, logger] (hook: WireHook, due: WireHookFailure?, desk: HookDesk) in
            guard let feed = feed.withLock({ $0 }) else { return }
            guard let filter = try? FeedFilter(encoded: hook.filter) else {
                logger.error("a hook's filter cannot be read", metadata: ["hook": "\(hook.id)"])
                return desk.note(hook) { $0.error = "This release cannot read the hook's filter." }
            }
            guard let reader = feed.enter(matching: filter) else { return }
            defer { feed.leave(reader) }
            let source = HookSource(
                page: { await feed.page(reader, matching: filter, after: $0, most: $1) },
                wait: { await feed.wait(reader, after: $0) })
            let sender = HookDelivery(to: hook.url, options.post, seats: seats, clock: clock)
            let runner = HookRunner(hook: hook, source: source, sender: sender, desk: desk)
            if let due { await runner.send(due) } else { await runner.run() }
        }
        return HookDesk.Work(
            // An answer after the lease would be of no use.
            turn: { turn throws(ClientError) in try await client.hooks.turn(turn, timeout: HookTurns.lease) },
            deliver: deliver,
            follow: { [logger] isNeeded in
                feed.withLock { feed in
                    if isNeeded, feed == nil {
                        feed = FollowedChanges(client, readers: Self.mostHooks, logger: logger)
                    } else if !isNeeded {
                        feed?.close()
                        feed = nil
                    }
                }
            },
            head: { feed.withLock { $0?.head?.rev ?? 0 } })
    }
}
