// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
internal import Landmarks
import Logging
import ServiceHost
import WaymarkProtocol
internal import WaymarkTransport

/// Keeps the replica up to date: reports the events of loading and of the feed to ``ReplicaState``, and performs the
/// actions that it returns.
final class ReplicaSync {
    struct Counters {
        /// How many times a whole replica was loaded.
        var loads: UInt64 = 0
        /// How many times the feed was complete again after a loss or a gap.
        var resumes: UInt64 = 0
        /// The summed counters of the feeds before the present feed.
        var feedBefore = FeedCounters()
    }

    private static let haltedPause = Duration.seconds(30)
    private static let loadersEnd = Duration.seconds(3)

    let options: QueryOptions
    let home: Home
    let link: StorageLink
    private let follower: (Position, @escaping (FeedEvent) -> Void) -> FeedFollower
    /// The reads that wait for the replica. Must be set before the first replica is loaded.
    weak var reads: ReplicaReads?
    /// The replica that answers queries; nil until a replica has caught up with storage.
    private(set) var replica: Replica?
    private(set) var feed: FeedFollower?
    /// The relay; nil if the service does not publish changes.
    var relay: RelayDesk?
    private(set) var state = ReplicaState()
    var load = ReplicaLoad()
    var counters = Counters()

    /// - Parameter follower: makes a follower of the feed that begins after a position.
    init(
        _ options: QueryOptions, home: Home, link: StorageLink,
        follower: @escaping (Position, @escaping (FeedEvent) -> Void) -> FeedFollower
    ) {
        (self.options, self.home, self.link, self.follower) = (options, home, link, follower)
    }

    private var logger: Logger { home.logger }
    var isOpen: Bool { link.channel != nil }

    /// The milliseconds since the last message on storage's feed or the last page of its log. It keeps growing while no
    /// feed is followed.
    var age: UInt64 { feed?.age ?? Monotonic.milliseconds - load.lastHeard }

    /// The state of the service that the header of an answer names.
    var currentHeader: ReplyHeader {
        ReplyHeader(position: replica?.position, ageMs: UInt32(clamping: age), storageAway: link.isAway)
    }

    /// The oldest revision from which changes are available, as far as this service knows.
    var knownFloor: UInt64 { max(link.state.floor, feed?.floor ?? 0) }

    /// The counters of all feeds since the start.
    var feedCounters: FeedCounters {
        var sum = counters.feedBefore
        if let feed { sum += feed.counters }
        return sum
    }

    func start() { handle(.started) }

    func close() {
        feed?.close()
        relay?.publisher.close()
        (feed, relay) = (nil, nil)
    }

    func handle(_ event: ReplicaState.Event) {
        let action = state.handle(event)
        link.isFeedLost = state.isFeedLost
        switch action {
        case .load: beginLoading()
        case .follow: follow()
        case .serve: serve()
        case .pause: pause()
        case nil: break
        }
    }

    private func beginLoading() {
        load.lastHeard = Monotonic.milliseconds - age
        if let feed { counters.feedBefore += feed.counters }
        feed?.close()
        relay?.relay.ended()
        (feed, load.loaded) = (nil, nil)
        // Changes are heard of late from now on.
        reads?.parked.endLongPolls()
        weak let sync = self
        load.task = home.spawn { await sync?.loadReplica() }
    }

    private func follow() {
        guard let loaded = load.loaded else { return }
        load.task = nil
        // The feed keeps this object alive until the feed is closed and set to nil.
        let feed = follower(loaded.position) { event in self.heard(event) }
        self.feed = feed
        beginRelaying(at: loaded.position)
        do {
            try feed.subscribe(to: link.state.changes)
        } catch {
            logger.error(
                "cannot subscribe to changes",
                metadata: ["endpoint": "\(link.state.changes.endpoint)", "error": "\(error)"])
        }
        feed.poll()
    }

    private func serve() {
        guard let loaded = load.loaded else { return }
        let before = replica
        (replica, load.loaded) = (loaded, nil)
        // The memory of the snapshot's pages and of the old replica is returned to the system. It is returned twice,
        // because tasks that are about to end may still hold some memory.
        HeapTrimmer.trim()
        home.loop.schedule(after: Self.loadersEnd) { HeapTrimmer.trim() }
        logger.info(
            "query ready",
            metadata: [
                "rev": .stringConvertible(loaded.position.rev), "landmarks": .stringConvertible(loaded.count),
                "feed": "\(feedOffered.endpoint)",
            ])
        reads?.served(before)
    }

    private func pause() {
        // No request should wait for a revision, because queries are no longer answered.
        reads?.parked.releaseAll()
        home.loop.schedule(after: Self.haltedPause) { [weak self] in self?.handle(.pauseOver) }
    }

    /// Follows the feed of the storage that has greeted this service: at another address, because another storage
    /// serves now, or in another form, because storage was upgraded. From now on nothing is accepted from the feed
    /// before unless a page of the log proves it, even if the earlier storage still publishes.
    func greeted(_ welcome: WireWelcome) {
        let address = link.feed(in: welcome)
        if !address.endpoint.isEmpty { link.state.changes = address }
        feed?.move(to: address, answeredBy: UUIDv7(bytes: welcome.run))
    }

    /// Asks storage for the feed's address.
    nonisolated(nonsending) func findPublisher() async throws(ServiceError) -> FeedAddress {
        link.feed(in: try await link.hello())
    }

    // MARK: The feed

    /// The replica to which changes are applied; nil while no feed is followed.
    private var changing: Replica? {
        switch state.phase {
        case .catchingUp: load.loaded
        case .following: replica
        case .stopped, .loading, .paused: nil
        }
    }

    private func heard(_ event: FeedEvent) {
        switch event {
        case .change(let change, let operation):
            link.state.told(change.rev)
            guard relay(change) else { return handle(.changeFailed) }
            apply(change, isLeaving: operation == .left)
            reads?.parked.release()
        case .reached(let rev):
            link.state.told(rev)
            relay?.reached(in: feed?.position.run, floor: knownFloor)
            changing?.reached(rev, feed?.position.run)
            handle(.reached(isCaughtUp: feed?.isCaughtUp == true))
            reads?.parked.release()
        case .lost(let loss):
            logger.warning(
                "no beacon from storage", metadata: ["changes": "\(loss.endpoint)", "cause": "\(loss.cause.rawValue)"])
            relay?.relay.lost()
            handle(.feedLost)
        case .gap(let rev): logger.debug("live changes are missing", metadata: ["after": .stringConvertible(rev)])
        case .resumed(let rev, let replayed):
            counters.resumes += 1
            logger.info(
                "feed resumed", metadata: ["rev": .stringConvertible(rev), "replayed": .stringConvertible(replayed)])
            relay?.relay.resumed()
            handle(.feedResumed)
        case .ended(let error):
            if error.code == .protocolVersion {
                logger.error("queries are no longer answered", metadata: ["reason": "\(error.message)"])
            } else {
                logger.warning("the replica has to be reloaded", metadata: ["reason": "\(error.code.name)"])
            }
            if error.code == .epochChanged || error.code == .futureRevision { link.state.cut() }
            relay?.relay.ended()
            handle(.feedEnded(error))
        }
    }

    private func apply(_ change: EncodedChange, isLeaving: Bool) {
        do {
            try changing?.apply(change, of: feed?.position.run, isLeaving: isLeaving)
        } catch {
            // Without this change, later answers could be wrong.
            logger.error(
                "a change cannot be applied", metadata: ["rev": .stringConvertible(change.rev), "error": "\(error)"])
            return handle(.changeFailed)
        }
        if state.phase == .following, replica?.index.needsRebuild == true { rebuildIndex() }
    }
}
