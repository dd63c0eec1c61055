// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
package import Landmarks
import Logging
package import WaymarkProtocol
package import WaymarkTransport

/// Keeps the replica up to date: does what ``ReplicaState`` says, and gives it the events of the load and of the feed.
extension QueryServer {
    func handle(_ event: ReplicaState.Event) {
        switch state.handle(event) {
        case .load: beginLoading()
        case .follow: follow()
        case .serve: serve()
        case .pause: pause()
        case nil: break
        }
    }

    private func beginLoading() {
        load.lastHeard = Monotonic.milliseconds - age
        if let follower { counters.feedBefore += follower.counters }
        follower?.close()
        relay?.ended()
        (follower, load.loaded) = (nil, nil)
        waiting?.endAll()
        load.task = Task { [weak self] in await self?.loadReplica() }
    }

    private func follow() {
        guard let loaded = load.loaded else { return }
        load.task = nil
        let follower = follower(
            loop: loop, context: context, keys: options.access?.keys,
            filter: options.feedFilter ?? .everything, from: loaded.position,
            // An endpoint in the configuration takes precedence over the one that storage names.
            isFixed: options.changes.count == 1,
            // A strong reference: it ends when `follower` is set to nil.
            tell: { event in self.heard(event) })
        self.follower = follower
        beginRelaying(at: loaded.position)
        do {
            try follower.subscribe(to: facts.changes)
        } catch {
            logger.error(
                "cannot subscribe to changes",
                metadata: ["endpoint": "\(facts.changes.endpoint)", "error": "\(error)"])
        }
        follower.poll()
    }

    private func serve() {
        guard let loaded = load.loaded else { return }
        let showsTiles = housekeeping.preparesTiles || replica?.tiles != nil
        loaded.clerk = clerk
        (replica, load.loaded) = (loaded, nil)
        // The pages that it was made of, and the replica before it. Tasks that are about to end may still hold some.
        SpareMemory.giveBack()
        loop.schedule(after: Self.loadersEnd, for: self) { _ in SpareMemory.giveBack() }
        logger.info(
            "query ready",
            metadata: [
                "rev": .stringConvertible(loaded.position.rev), "landmarks": .stringConvertible(loaded.count),
                "feed": "\(feedOffered.endpoint)",
            ])
        // These wait for the old replica: their positions may be in another history.
        releaseAllParked()
        refuseSlow()
        if showsTiles { fillTiles() }
    }

    /// Where storage publishes: as it says itself, or as the configuration says it for the endpoint in use.
    func address(in welcome: WireWelcome) -> FeedAddress {
        let place = options.changes.count == 1 ? 0 : storage?.place ?? 0
        guard place < options.changes.count else { return FeedAddress(welcome).found(by: storage?.endpoint ?? "") }
        return FeedAddress(welcome).at(options.changes[place])
    }

    /// Follows the feed elsewhere, because another storage serves now, or in another form, because storage is another
    /// release now. The present subscription ends, so that the storage before tells nothing any more, even if it still
    /// publishes.
    func follow(at address: FeedAddress) {
        guard !address.endpoint.isEmpty, let follower else { return }
        facts.changes = address
        follower.move(to: address)
    }

    private func pause() {
        releaseAllParked()
        loop.schedule(after: Self.haltedPause, for: self) { $0.handle(.pauseOver) }
    }

    private static let haltedPause = Duration.seconds(30)
    private static let loadersEnd = Duration.seconds(3)

    // MARK: The feed

    /// The replica that takes the changes.
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
            facts.told(change.rev)
            guard relay(change) else { return handle(.changeFailed) }
            apply(change, isLeaving: operation == .left)
            releaseParked()
        case .reached(let rev):
            facts.told(rev)
            relayReached()
            changing?.reached(rev, follower?.position.run)
            handle(.reached(isCaughtUp: follower?.isCaughtUp == true))
            releaseParked()
        case .lost(let loss):
            logger.warning(
                "no beacon from storage", metadata: ["changes": "\(loss.endpoint)", "cause": "\(loss.cause.rawValue)"])
            relay?.lost()
            handle(.feedLost)
        case .gap(let rev):
            logger.debug("live changes are missing", metadata: ["after": .stringConvertible(rev)])
        case .resumed(let rev, let replayed):
            counters.resumes += 1
            logger.info(
                "feed resumed", metadata: ["rev": .stringConvertible(rev), "replayed": .stringConvertible(replayed)])
            relay?.resumed()
            handle(.feedResumed)
        case .ended(let error):
            if error.code == .protocolVersion {
                logger.error("queries are no longer answered", metadata: ["reason": "\(error.message)"])
            } else {
                logger.warning("the replica has to be reloaded", metadata: ["reason": "\(error.code.name)"])
            }
            if error.code == .epochChanged || error.code == .futureRevision { facts.cut() }
            relay?.ended()
            handle(.feedEnded(error))
        }
    }

    private func apply(_ change: ReceivedChange, isLeaving: Bool) {
        do {
            try changing?.apply(change, of: follower?.position.run, isLeaving: isLeaving)
        } catch {
            // Without this change every later answer could be wrong.
            logger.error(
                "a change cannot be applied",
                metadata: ["rev": .stringConvertible(change.rev), "error": "\(error)"])
            return handle(.changeFailed)
        }
        if state.phase == .following, replica?.needsRebuild == true { rebuildIndex() }
    }
}

extension QueryServer: FeedReader {
    package func readLog(
        after position: Position, matching filter: FeedFilter, wait: UInt32
    ) async throws(ServiceError) -> PulledPage {
        let body = try await askEncoded(
            .with {
                ($0.changes.since, $0.changes.waitMs) = (position.wire, wait)
                if !filter.isEmpty { $0.changes.filter = filter.wire }
            }
        ).body
        if let refusal = ServiceError(ofReply: body) { throw refusal }
        // A relay publishes the changes of a page too, and as storage encoded them.
        guard let page = PulledPage(encoded: body) else { throw .unexpectedAnswer }
        return page
    }

    package func findPublisher() async throws(ServiceError) -> FeedAddress {
        let address = address(in: try await helloStorage())
        if !address.endpoint.isEmpty { facts.changes = address }
        return address
    }
}
