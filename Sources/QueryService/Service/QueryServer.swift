// SPDX-License-Identifier: Apache-2.0

import Accounts
internal import Landmarks
public import Logging
public import ServiceHost
import WaymarkProtocol
package import WaymarkTransport
public import ZeroMQ

/// The query service: one thread that owns the sockets and a replica of all landmarks.
///
/// It answers `near`, lists and distances from the replica, and forwards writes, history, text search and pages of the
/// log to storage. While storage is unreachable it keeps answering from the replica, and reports the replica's age.
/// Requests that need storage are then refused with "try again".
///
/// The actor builds, starts and stops the components, and passes each request to the component that handles it.
public actor QueryServer: HostedServer {
    let loop: EventLoop
    let context: Context
    let options: QueryOptions
    let logger: Logger
    let started = Monotonic.milliseconds
    let run: UUIDv7
    /// The known accounts; empty if accounts are not required.
    public nonisolated let accounts = KnownAccounts()
    /// Takes requests of clients in the same process, without a socket.
    package nonisolated let local = LocalRequests()
    /// Decides who may connect; nil if another server has registered such a handler in the context.
    private var ownHandler: ZAPHandler?
    /// The components; nil while the service does not run.
    private(set) var running: RunningQuery?
    var counters = QueryCounters()
    private let ingestNews = AsyncStream<IngestNews>.makeStream(bufferingPolicy: .bufferingNewest(64))

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Throws: `ZeroMQError` if the process cannot start another thread or has no free file descriptor.
    public init(_ options: QueryOptions, context: Context, logger: Logger) throws(ZeroMQError) {
        self.options = options
        self.context = context
        self.logger = logger
        loop = try EventLoop(name: "waymark-query")
        var generator = UUIDv7Generator()
        run = generator.next(now: WallClock.milliseconds)
        HeapTrimmer.limit()
    }

    /// The result of each ingest of a configured source. For one reader.
    public nonisolated var ingestReports: AsyncStream<IngestNews> { ingestNews.stream }

    /// Begins to listen, to load the replica and to fetch the sources.
    ///
    /// - Returns: the endpoint for requests, with the port that was chosen if the options left it open.
    public func start() async throws -> String {
        for endpoint in [options.listen, options.relay?.listen].compactMap({ $0 }) {
            try ListenRule.check(endpoint, insecure: options.isInsecure, secured: options.access != nil)
        }
        if let access = options.access {
            ownHandler = try await AccountGate.open(access, accounts, context)
        }
        OpenFiles.raiseLimit()
        let parts = try build()
        running = parts
        // The closure keeps the actor alive until the server is closed and drops the closure. The sockets must be
        // closed on the actor's thread, whichever thread releases the last reference. (An `isolated deinit` would do
        // the same, but in release builds Swift 6.3 cannot compile modules that import it.)
        parts.server.start(on: loop) { self.drain() }
        local.start(on: loop) { self.assumeIsolated { _ = $0.drain(isLocal: true) } }
        parts.gate?.start()
        parts.sync.start()
        parts.sources.poll(options.sources)
        parts.rates?.start()
        logger.info(
            "query listening", metadata: ["listen": "\(parts.server.endpoint)", "storage": "\(options.storageNames)"])
        if let relayEndpoint {
            logger.info(
                "relay listening",
                metadata: ["listen": "\(relayEndpoint)", "announced": "\(parts.sync.feedOffered.endpoint)"])
        }
        return parts.server.endpoint
    }

    private func build() throws -> RunningQuery {
        let home = Home(loop: loop, context: context, actor: self, logger: logger)
        let connections = OpenFiles.connections(
            wanted: options.connections, sockets: options.relay == nil ? 1 : 2, besideWeb: options.isBesideWeb)
        let server = try RequestServer(
            loop: loop, context: context, endpoint: options.listen, versions: options.protocolVersions,
            rule: ConnectionRule(most: connections, security: options.security(options.listen, KeyDomain.requests)))
        server.local = local
        let answers = Replies(server, logger)
        // If a later component cannot be made, the sockets made so far must be closed here, on the actor's thread.
        var isWhole = false
        var closing: [() -> Void] = [answers.close]
        defer { if !isWhole { for close in closing.reversed() { close() } } }
        let link = try StorageLink(options, home: home, answers: answers)
        closing.append(link.close)
        let sync = ReplicaSync(options, home: home, link: link) { position, tell in
            self.follower(
                loop: self.loop, context: self.context, keys: self.options.access?.keys,
                filter: self.options.feedFilter ?? .everything, from: position,
                // A configured endpoint takes precedence over the endpoint that storage names.
                isFixed: self.options.changes.count == 1, tell: tell)
        }
        closing.append(sync.close)
        link.greeted = { [weak sync] in sync?.greeted($0) }
        let gate = options.access.map { access in
            AccountGate(access, accounts, link, access.handler ?? ownHandler, home: home) { [weak sync] in
                sync?.relay?.publisher.cutOffRefused()
            }
        }
        if gate != nil {
            weak let gate = gate
            link.accountsChanged = { _ = await gate?.follow(wait: 0) }
        }
        try sync.openRelay(connections: connections) { [weak gate] key in gate?.subscriber(key) }
        let fallback = try Fallback(options, home: home, answers: answers)
        closing.append(fallback.close)
        let listeners = options.access.map { SignInListeners($0, accounts, link, home: home) }
        if let listeners { closing.append(listeners.close) }
        try listeners?.start()
        let handlers = RequestHandlers { [weak link] in link?.forward($0) }
        let parked = ParkedReads(
            home: home, answers: answers, sync: sync, handlers: handlers, longestWait: options.longestWait
        ) {
            [weak gate] (request) throws(ServiceError) in _ = try gate?.asker(of: request)
        }
        let reads = ReplicaReads(
            options, home: home, answers: answers, sync: sync, fallback: fallback, parked: parked, handlers: handlers)
        sync.reads = reads
        let sources = SourcePoller(ingestNews.continuation, home) {
            [weak self] (request, timeout) throws(ServiceError) in
            guard let self else { throw .storageAway }
            return try await self.ask(request, timeout: timeout)
        }
        let rates = options.rates.map { RatePoller($0, home) }
        // A strong reference, because each answer would pay for three weak ones, some 3 % of a near.
        answers.currentHeader = { sync.currentHeader }
        handleOwn(handlers, answers, rates)
        isWhole = true
        return RunningQuery(
            server: server, answers: answers, handlers: handlers, link: link, sync: sync, reads: reads, gate: gate,
            listeners: listeners, sources: sources, rates: rates,
            housekeeping: Housekeeping(
                gate.map { _ in accounts.book }, home: home, server: server, sync: sync, parked: parked))
    }

    private func ask(_ request: WireRequest, timeout: Duration) async throws(ServiceError) -> WireReply {
        guard let link = running?.link else { throw .storageAway }
        return try await link.ask(request, timeout: timeout)
    }

    /// The endpoint for requests; nil while the service does not run.
    public var endpoint: String? { running?.server.endpoint }
    /// The endpoint where changes are published; nil if the service is no relay.
    public var relayEndpoint: String? { running?.sync.relay?.publisher.endpoint }
    /// The endpoint for signing in; nil if there is none.
    public var signInEndpoint: String? { running?.listeners?.signInEndpoint }
    /// The endpoint that tells the service's public key; nil if there is none.
    public var serverKeyEndpoint: String? { running?.listeners?.serverKeyEndpoint }
    /// The progress of loading a replica; nil while none is being loaded.
    public var loading: LoadProgress? { running?.sync.loading }

    /// Returns ``endpoint`` as soon as the start is over, for the parts of this process that ask the service.
    ///
    /// - Parameter preparesTiles: whether map tiles will be asked for.
    package nonisolated func endpoint(after startup: Startup, preparesTiles: Bool = false) async -> String? {
        await startup.wait()
        if preparesTiles { await prepareTiles() }
        return await endpoint
    }

    /// Answers the requests that have arrived, refuses later requests, and ends the service's thread.
    public func stop() async {
        await finish()
        let tasks = running?.tasks ?? []
        for task in tasks { task.cancel() }
        ingestNews.continuation.finish()
        running?.close()
        running = nil
        for task in tasks { await task.value }
        await ownHandler?.stop()
        await loop.stop()
    }

    /// Waits until the replica has caught up with storage. Returns false after `timeout`, if the task is cancelled, or
    /// if the service is stopped. Without a timeout it waits as long as loading takes.
    @discardableResult
    public func waitUntilReady(timeout: Duration? = nil) async -> Bool {
        await loop.wait(upTo: timeout) { self.running?.sync.state.isServing != false }
        return running?.sync.state.isServing == true
    }

    /// Puts the landmarks into the order of map tiles before a tile is first requested, and again after each reload.
    package func prepareTiles() { running?.reads.prepareTiles() }

    /// Whether map tiles are answered at once.
    package var areTilesReady: Bool { running?.reads.areTilesReady == true }
}
