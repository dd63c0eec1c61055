// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import DequeModule
import Foundation
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
/// What is near, what there is and how far it is are answered here, from memory. Writes, history, text search and
/// pages of the log are passed on to storage. When storage is away the replica goes on answering and says how old it
/// is; what needs storage is refused with "try again".
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
    /// One that has been loaded and has not come up with storage yet: until then it may show landmarks of different
    /// revisions side by side, so nobody sees it.
    var loaded: Replica?
    /// Whether the replica has come up with storage since it was loaded.
    var isReady = false
    var isFeedLost = false
    /// Why nothing is answered any more: storage tells of what this release does not understand.
    var halted: ServiceError?
    /// The version of the protocol that storage has chosen: what is spoken with it, and the highest that is offered to
    /// clients, for what they ask may have to be passed on.
    var storageVersion: UInt8
    var openFiles = OpenFilesWatch()
    /// The newest revision that storage is known to have, and of which history.
    var storageHead: UInt64 = 0
    var storageEpoch: UUIDv7?
    var storageFloor: UInt64 = 1
    var changesEndpoint = ""
    var parked = ParkedRequests()
    var queued = ForwardQueue()
    var slow: Deque<SlowQuestion> = []
    var counters = QueryCounters()
    var parkTimer: LoopTimer?
    /// What is fetched, as it is configured by now.
    var sources: [SourceDefinition]
    /// One for each source, and for those that are no longer configured and still under way.
    var fetchings: [Int: Fetching] = [:]
    var lastFetching = 0
    /// Requests that were passed on to storage and wait for its answer.
    var forwarding = 0
    /// Answers that are being put together with storage's help.
    var answersUnderWay = 0
    /// Whether the end has come so far that what arrives is refused.
    var isRefusing = false
    var requestLog: RequestLog
    private var upkeepTimer: LoopTimer?
    var upkeeps: UInt64 = 0
    var spareMemory = SpareMemory()
    private(set) var loadingTask: Task<Void, Never>?
    var progress = LoadProgress()
    /// When the feed was last heard before the replica began to be loaded anew, on the monotonic clock.
    var lastHeard = Monotonic.milliseconds
    /// Keeps the actor until it is closed: its sockets have to end on its own thread, wherever its last owner lets go.
    /// (An `isolated deinit` would do the same; Swift 6.3 cannot compile importers of one in release builds.)
    private var itself: QueryServer?
    private let ingests: AsyncStream<IngestNews>
    let ingestNews: AsyncStream<IngestNews>.Continuation

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Throws: `ZeroMQError` when the process cannot have one more thread, or has no file descriptor left for it.
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

    /// What the ingests of the configured sources did, as they end. For one listener.
    public nonisolated var ingestReports: AsyncStream<IngestNews> { ingests }

    /// Listens, and begins to load the replica and to fetch the sources.
    ///
    /// - Returns: the endpoint, with the port that was chosen where it was left open.
    public func start() throws -> String {
        itself = self
        try ListenRule.check(options.listen, insecure: options.isInsecure)
        OpenFiles.raiseLimit()
        let server = try RequestServer(
            loop: loop, context: context, endpoint: options.listen,
            connections: OpenFiles.connections(wanted: options.connections, sockets: 1),
            versions: options.protocolVersions)
        self.server = server
        storage = try RequestChannel(
            loop: loop, context: context, endpoint: options.storage, versions: options.protocolVersions,
            // Answers of storage's that have arrived together leave together.
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

    /// Answers what has arrived, refuses what comes after, and ends the thread.
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

    /// Returns when the replica has caught up; or false after `timeout`, when the task is cancelled and when the service
    /// is stopped. There is no time after which a service that is still loading should be given up.
    @discardableResult
    public func waitUntilReady(timeout: Duration? = nil) async -> Bool {
        let deadline = timeout.map { ContinuousClock.now + $0 }
        while !isReady, !Task.isCancelled, server != nil, deadline.map({ ContinuousClock.now < $0 }) ?? true {
            try? await Task.sleep(for: .milliseconds(5))
        }
        return isReady
    }

    // MARK: The replica

    /// Loads the replica anew; what there is goes on answering meanwhile.
    func reload() {
        guard loadingTask == nil else { return }
        lastHeard = Monotonic.milliseconds - age
        if let follower { counters.feedBefore += follower.counters }
        follower?.close()
        follower = nil
        loadingTask = Task { [weak self] in await self?.load() }
    }

    /// In the same turn as what ends it: whatever comes next may begin another one.
    func loadingEnded() { loadingTask = nil }

    /// Follows the feed from a loaded replica's position on; it answers once it has caught up.
    func adopt(_ loaded: Replica, changesEndpoint: String) {
        self.loaded = loaded
        // It says "lost" anew if that is so.
        isFeedLost = false
        self.changesEndpoint = changesEndpoint
        let follower = FeedFollower(
            loop: loop, context: context, from: loaded.position,
            pull: { [weak self] position in self?.assumeIsolated { $0.pull(position) } },
            // Where the configuration names the place, that is the place.
            locate: options.changes == nil ? { [weak self] in self?.assumeIsolated { $0.locate() } } : nil,
            // Let go of when it is closed.
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
                // Of the old one: the positions that were waited for may be of another history.
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
            // Going on would be answering wrongly. Whoever brings storage back to an older release need not come here.
            halted = error
            logger.error("no more answers", metadata: ["reason": "\(error.message)"])
            releaseAllParked()
            loop.schedule(after: Self.haltedPause, for: self) { $0.reload() }
        case .ended(let error):
            logger.warning("the replica has to be loaded anew", metadata: ["reason": "\(error.code.name)"])
            reload()
        }
    }

    private func apply(_ change: ReceivedChange) {
        do {
            let run = follower?.position.run
            if loaded == nil { try replica?.apply(change, of: run) } else { try loaded?.apply(change, of: run) }
        } catch {
            // Going on without it would be answering wrongly from now on.
            logger.error("a change cannot be kept", metadata: ["rev": "\(change.rev)", "error": "\(error)"])
            reload()
            return
        }
        if loaded == nil, replica?.needsRebuild == true { rebuildIndex() }
    }

    /// Asks where changes are published by now.
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
