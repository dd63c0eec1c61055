// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import DequeModule
import FoundationEssentials
import Geodesy
import Ingest
import Landmarks
public import Logging
public import ServiceHost
import SwiftProtobuf
import WaymarkProtocol
import WaymarkTransport
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
    let identity: UUIDv7
    var sequence: UInt64 = 0

    var server: RequestServer?
    var storage: RequestChannel?
    var follower: FeedFollower?
    var replica: Replica?
    /// A replica that is loaded but has not caught up with storage. Until then its landmarks may have different
    /// revisions, so it answers nothing.
    var loaded: Replica?
    /// Whether the replica has caught up with storage since it was loaded.
    var isReady = false
    var isFeedLost = false
    /// Why nothing is answered any more: storage sends something that this release does not understand.
    var halted: ServiceError?
    /// The protocol version that storage chose. It is spoken with storage, and it is the highest one offered to
    /// clients, because their requests may have to be forwarded unchanged.
    var storageVersion: UInt8
    var openFiles = OpenFilesWatch()
    /// The newest revision of storage that is known, in the history `storageEpoch`.
    var storageHead: UInt64 = 0
    var storageEpoch: UUIDv7?
    var storageFloor: UInt64 = 1
    var changesEndpoint = ""
    var parked = ParkedRequests()
    var queued = ForwardQueue()
    var slow: Deque<SlowQuestion> = []
    var counters = QueryCounters()
    var parkTimer: LoopTimer?
    /// The sources in the present configuration.
    var sources: [SourceDefinition]
    /// One task for each source, including removed sources whose last fetch is under way.
    var fetchings: [Int: Fetching] = [:]
    var lastFetching = 0
    /// Requests in flight to storage on behalf of clients.
    var forwarding = 0
    /// Answers that are being assembled and wait for storage or for another step.
    var answersUnderWay = 0
    /// Whether the service is stopping and refuses new requests.
    var isRefusing = false
    var requestLog: RequestLog
    private var upkeepTimer: LoopTimer?
    var upkeeps: UInt64 = 0
    var spareMemory = SpareMemory()
    private(set) var loadingTask: Task<Void, Never>?
    var progress = LoadProgress()
    /// The monotonic time at which the last feed was heard before a reload began.
    var lastHeard = Monotonic.milliseconds
    /// Keeps the actor alive until it is closed: its sockets must be closed on its own thread, whichever thread
    /// releases the last reference. (An `isolated deinit` would do the same, but in release builds Swift 6.3 cannot
    /// compile importers of one.)
    private var itself: QueryServer?
    private let ingests: AsyncStream<IngestNews>
    let ingestNews: AsyncStream<IngestNews>.Continuation

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Throws: `ZeroMQError` if the process cannot start another thread or has no free file descriptor.
    public init(_ options: QueryOptions, context: Context, logger: Logger) throws(ZeroMQError) {
        self.options = options
        self.context = context
        self.logger = logger
        sources = options.sources
        requestLog = RequestLog(logger)
        loop = try EventLoop(name: "waymark-query")
        storageVersion = options.protocolVersions.lowerBound
        var generator = UUIDv7Generator()
        run = generator.next(now: WallClock.milliseconds)
        identity = generator.next(now: WallClock.milliseconds)
        (ingests, ingestNews) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    /// The results of the configured sources' ingests, as they end. For one listener.
    public nonisolated var ingestReports: AsyncStream<IngestNews> { ingests }

    /// Listens, and begins to load the replica and to fetch the sources.
    ///
    /// - Returns: the endpoint, with the chosen port if it was left open.
    public func start() throws -> String {
        itself = self
        try ListenRule.check(options.listen, insecure: options.isInsecure)
        OpenFiles.raiseLimit()
        let server = try RequestServer(
            loop: loop, context: context, endpoint: options.listen,
            connections: OpenFiles.connections(wanted: options.connections, sockets: 1),
            versions: options.protocolVersions, quick: [.near])
        self.server = server
        storage = try RequestChannel(
            loop: loop, context: context, endpoint: options.storage, versions: options.protocolVersions,
            // Answers of storage that arrived together are sent to clients together.
            around: { [logger] take in
                do throws(ZeroMQError) { try server.together(take) } catch {
                    logger.error("cannot answer", metadata: ["error": "\(error)"])
                }
            }
        ) { [weak self] isThere in
            self?.assumeIsolated { $0.storageChanged(isThere) }
        }
        upkeepTimer = loop.schedule(every: .seconds(1), for: self) { $0.upkeep() }
        server.start(on: loop) { [weak self] in self?.assumeIsolated { _ = $0.drain() } }
        reload()
        for source in sources { beginFetching(source) }
        logger.info("query listening", metadata: ["listen": "\(server.endpoint)", "storage": "\(options.storage)"])
        return server.endpoint
    }

    /// Answers what has arrived, refuses later requests, and ends the thread.
    public func stop() async {
        await finish()
        let running = fetchings.values.compactMap(\.task) + [loadingTask].compactMap { $0 }
        for task in running { task.cancel() }
        shut()
        for task in running { await task.value }
        await loop.stop()
    }

    private func shut() {
        refuseSlow()
        parkTimer?.cancel()
        upkeepTimer?.cancel()
        follower?.close()
        storage?.close()
        server?.close()
        ingestNews.finish()
        itself = nil
        (follower, storage, server, parkTimer, upkeepTimer) = (nil, nil, nil, nil, nil)
    }

    /// Returns true when the replica has caught up. Returns false after `timeout`, when the task is cancelled or when
    /// the service is stopped. Without a timeout it waits as long as loading takes.
    @discardableResult
    public func waitUntilReady(timeout: Duration? = nil) async -> Bool {
        let deadline = timeout.map { ContinuousClock.now + $0 }
        while !isReady, !Task.isCancelled, server != nil, deadline.map({ ContinuousClock.now < $0 }) ?? true {
            try? await Task.sleep(for: .milliseconds(5))
        }
        return isReady
    }

    // MARK: The replica

    /// Loads the replica again. The present one keeps answering meanwhile.
    func reload() {
        guard loadingTask == nil else { return }
        lastHeard = Monotonic.milliseconds - age
        if let follower { counters.feedBefore += follower.counters }
        follower?.close()
        follower = nil
        loadingTask = Task { [weak self] in await self?.load() }
    }

    /// Called in the same turn as the end of the load, because whatever comes next may begin another one.
    func loadingEnded() { loadingTask = nil }

    /// Follows the feed from a loaded replica's position. The replica begins to answer when it has caught up.
    func adopt(_ loaded: Replica, changesEndpoint: String) {
        self.loaded = loaded
        // The new follower reports a loss again if there is one.
        isFeedLost = false
        self.changesEndpoint = changesEndpoint
        let follower = FeedFollower(
            loop: loop, context: context, from: loaded.position,
            pull: { [weak self] position in self?.assumeIsolated { $0.pull(position) } },
            // An endpoint in the configuration takes precedence over the one that storage names.
            locate: options.changes == nil ? { [weak self] in self?.assumeIsolated { $0.locate() } } : nil,
            // A strong reference: the follower drops it when it is closed.
            tell: { event in self.heard(event) })
        self.follower = follower
        do {
            try follower.subscribe(to: changesEndpoint)
        } catch {
            logger.error(
                "cannot subscribe to changes", metadata: ["endpoint": "\(changesEndpoint)", "error": "\(error)"])
        }
        follower.poll()
    }

    private func pull(_ position: Position) {
        let asked = follower
        Task {
            let result: Result<PulledPage, ServiceError>
            do throws(ServiceError) {
                let reply = try await ask(.with { $0.changes = .with { $0.since = position.wire } })
                guard case .changes(let page)? = reply.result else { throw .unexpectedAnswer }
                result = .success(PulledPage(page))
            } catch {
                result = .failure(error)
            }
            if asked === follower { follower?.pulled(result) }
        }
    }

    private func heard(_ event: FeedEvent) {
        switch event {
        case .change(let change, _):
            storageHead = max(storageHead, change.rev)
            apply(change)
            releaseParked()
        case .reached(let rev):
            storageHead = max(storageHead, rev)
            let run = follower?.position.run
            if loaded == nil { replica?.reached(rev, run) } else { loaded?.reached(rev, run) }
            if let caughtUp = loaded, follower?.isCaughtUp == true {
                replica = caughtUp
                loaded = nil
                isReady = true
                halted = nil
                logger.info("query ready", metadata: ["rev": "\(rev)", "landmarks": "\(caughtUp.count)"])
                // These wait for the old replica: their positions may be in another history.
                releaseAllParked()
                refuseSlow()
            }
            releaseParked()
        case .lost:
            isFeedLost = true
            logger.warning("no beacon from storage", metadata: ["changes": "\(changesEndpoint)"])
        case .gap(let rev): logger.debug("live changes are missing", metadata: ["after": "\(rev)"])
        case .resumed(let rev, let replayed):
            counters.resumes += 1
            isFeedLost = false
            logger.info("feed resumed", metadata: ["rev": "\(rev)", "replayed": "\(replayed)"])
        case .ended(let error) where error.code == .protocolVersion:
            // Later answers would be wrong. The service tries again by itself, in case storage returns to an older
            // release.
            halted = error
            logger.error("queries are no longer answered", metadata: ["reason": "\(error.message)"])
            releaseAllParked()
            loop.schedule(after: Self.haltedPause, for: self) { $0.reload() }
        case .ended(let error):
            logger.warning("the replica has to be reloaded", metadata: ["reason": "\(error.code.name)"])
            reload()
        }
    }

    private func apply(_ change: ReceivedChange) {
        do {
            let run = follower?.position.run
            if loaded == nil { try replica?.apply(change, of: run) } else { try loaded?.apply(change, of: run) }
        } catch {
            // Without this change every later answer could be wrong.
            logger.error("a change cannot be applied", metadata: ["rev": "\(change.rev)", "error": "\(error)"])
            reload()
            return
        }
        if loaded == nil, replica?.needsRebuild == true { rebuildIndex() }
    }

    /// Asks where changes are published now.
    private func locate() {
        let asking = follower
        Task {
            let endpoint = try? await helloStorage().changesEndpoint
            guard asking === follower else { return }
            if let endpoint, !endpoint.isEmpty { changesEndpoint = endpoint }
            asking?.located(endpoint)
        }
    }

    private static let haltedPause = Duration.seconds(30)
}
