// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import DequeModule
import FoundationEssentials
import Geodesy
import Ingest
internal import Landmarks
public import Logging
public import ServiceHost
import SwiftProtobuf
import WaymarkProtocol
internal import WaymarkTransport
public import ZeroMQ

/// The query service: one thread that owns its sockets and a replica of all landmarks.
///
/// It answers `near`, lists and distances from memory. It forwards writes, history, text search and pages of the log
/// to storage. While storage is down it keeps answering from the replica and reports the replica's age; what needs
/// storage is refused with "try again".
public actor QueryServer: HostedServer {
    let loop: EventLoop
    let context: Context
    let options: QueryOptions
    let logger: Logger
    let started = Monotonic.milliseconds
    let run: UUIDv7
    /// Of the requests that the service makes itself.
    var numbers: RequestNumbers

    var server: RequestServer?
    var storage: RequestChannel?
    /// A query service that is asked what this one's region does not tell; nil: there is none.
    var elsewhere: RequestChannel?
    var facts: StorageFacts

    /// The replica that answers; nil until one has caught up with storage.
    var replica: Replica?
    var follower: FeedFollower?
    /// Nil unless it publishes storage's changes again.
    var relay: RelayDesk?
    var state = ReplicaState()
    var load = ReplicaLoad()
    var clerk: HoursClerk
    var towns = TownsState()
    /// Those that are required; empty where none are.
    public nonisolated let accounts = KnownAccounts()
    var doors = Doors()

    var work = RequestsUnderWay()
    /// Requests for changes that wait for something newer; nil while the service is not running.
    var waiting: WaitingReads?
    var fetchings: Fetchings
    var rates = FetchedRates()
    var counters = QueryCounters()
    var requestLog: RequestLog
    var housekeeping = Housekeeping()
    let ingestNews = AsyncStream<IngestNews>.makeStream(bufferingPolicy: .bufferingNewest(64))

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Throws: `ZeroMQError` if the process cannot start another thread or has no free file descriptor.
    public init(_ options: QueryOptions, context: Context, logger: Logger) throws(ZeroMQError) {
        self.options = options
        self.context = context
        self.logger = logger
        fetchings = Fetchings(options.sources)
        clerk = HoursClerk(options.zones)
        requestLog = RequestLog(logger)
        loop = try EventLoop(name: "waymark-query")
        facts = StorageFacts(version: options.protocolVersions.lowerBound)
        var generator = UUIDv7Generator()
        run = generator.next(now: WallClock.milliseconds)
        numbers = RequestNumbers(client: generator.next(now: WallClock.milliseconds))
    }

    /// The results of the configured sources' ingests, as they end. For one listener.
    public nonisolated var ingestReports: AsyncStream<IngestNews> { ingestNews.stream }

    /// Listens, and begins to load the replica and to fetch the sources.
    ///
    /// - Returns: the endpoint, with the chosen port if it was left open.
    public func start() async throws -> String {
        try ListenRule.check(options.listen, insecure: options.isInsecure, secured: options.access != nil)
        if let relay = options.relay {
            try ListenRule.check(relay.listen, insecure: options.isInsecure, secured: options.access != nil)
        }
        try await openDoors()
        OpenFiles.raiseLimit()
        let connections = OpenFiles.connections(
            wanted: options.connections, sockets: options.relay == nil ? 1 : 2)
        let server = try RequestServer(
            loop: loop, context: context, endpoint: options.listen, connections: connections,
            versions: options.protocolVersions, security: security, quick: [.near])
        self.server = server
        // If the channel cannot be made, the server must be closed here, on its thread.
        defer { if storage == nil { shut() } }
        try openRelay(connections: connections)
        storage = try RequestChannel(
            loop: loop, context: context, endpoints: options.storages, versions: options.protocolVersions,
            security: { [options] in options.storageSecurity($0) },
            accepts: { [weak self] welcome in self?.assumeIsolated { $0.accepts(welcome) } ?? false },
            // Answers of storage that arrived together are sent to clients together.
            around: { [logger] take in
                do throws(ZeroMQError) { try server.together(take) } catch {
                    logger.error("cannot answer", metadata: ["error": "\(error)"])
                }
            }
        ) { [weak self] isThere in
            self?.assumeIsolated { $0.storageChanged(isThere) }
        }
        try connectElsewhere(answering: server)
        try listenForStrangers()
        waiting = WaitingReads(
            loop: loop, limit: Self.mostLongPolls, share: Self.mostLongPollsForOne, longest: options.longestWait
        ) { [weak self] changes, request, isOver in
            self?.assumeIsolated { $0.answer(changes, afterWait: request, isOver: isOver) }
        }
        housekeeping.timer = loop.schedule(every: .seconds(1), for: self) { $0.upkeep() }
        // A strong reference, dropped when the server is closed. It keeps the actor alive until then: its sockets must be
        // closed on its own thread, whichever thread releases the last reference. (An `isolated deinit` would do the
        // same, but in release builds Swift 6.3 cannot compile importers of one.)
        server.start(on: loop) { self.drain() }
        beginFollowingAccounts()
        handle(.started)
        for source in fetchings.sources { beginFetching(source) }
        beginFetchingRates()
        logger.info(
            "query listening", metadata: ["listen": "\(server.endpoint)", "storage": "\(options.storageNames)"])
        if let relayEndpoint {
            logger.info(
                "relay of changes", metadata: ["listen": "\(relayEndpoint)", "announced": "\(feedOffered.endpoint)"])
        }
        return server.endpoint
    }

    /// Where it takes requests; nil while it does not.
    public var endpoint: String? { server?.endpoint }

    /// Answers what has arrived, refuses later requests, and ends the thread.
    public func stop() async {
        await finish()
        let running = (fetchings.running.values.map(\.task) + [load.task, rates.task, doors.following])
            .compactMap { $0 }
        for task in running { task.cancel() }
        shut()
        for task in running { await task.value }
        await doors.ownHandler?.stop()
        await loop.stop()
    }

    private func shut() {
        refuseSlow()
        work.parkTimer?.cancel()
        housekeeping.timer?.cancel()
        follower?.close()
        relay?.publisher.close()
        storage?.close()
        elsewhere?.close()
        server?.close()
        doors.signIn?.close()
        doors.door?.close()
        (doors.signIn, doors.door) = (nil, nil)
        ingestNews.continuation.finish()
        waiting?.endAll()
        (elsewhere, relay, waiting) = (nil, nil, nil)
        (follower, storage, server, work.parkTimer, housekeeping.timer) = (nil, nil, nil, nil, nil)
    }

    /// Returns true when the replica has caught up. Returns false after `timeout`, when the task is cancelled or when
    /// the service is stopped. Without a timeout it waits as long as loading takes.
    @discardableResult
    public func waitUntilReady(timeout: Duration? = nil) async -> Bool {
        let deadline = timeout.map { ContinuousClock.now + $0 }
        while !state.isServing, !Task.isCancelled, server != nil, deadline.map({ ContinuousClock.now < $0 }) ?? true {
            try? await Task.sleep(for: .milliseconds(5))
        }
        return state.isServing
    }
}
