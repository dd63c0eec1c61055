// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// The states of a query service's replica: it is loaded, catches up with storage, and follows the feed. The type is
/// pure: the caller passes events in and performs the returned actions.
///
/// ```
///              started            loaded              caught up
///   stopped ------------> loading --------> catchingUp ---------> following
///                          ^  ^                 |                    |
///                          |  | feed ended, or a change failed       |
///                          |  +-----------------+--------------------+
///                          | pause over         |                    |
///                          +---------- paused <-+--------------------+
///                                        the feed ended because of the protocol version
/// ```
///
/// A replica that has caught up keeps answering while its successor is loaded.
struct ReplicaState: Equatable {
    enum Phase {
        /// Nothing has begun.
        case stopped
        /// A replica is being loaded. No feed is followed.
        case loading
        /// The loaded replica applies the changes since its position. It does not answer yet, because its landmarks may
        /// have different revisions.
        case catchingUp
        /// The replica applies changes and answers queries.
        case following
        /// Storage sends messages that this version of the protocol does not have. Loading begins again after a pause,
        /// because another storage may serve by then.
        case paused
    }

    enum Event {
        case started
        /// All landmarks have been read.
        case loaded
        /// The feed is complete through another revision.
        case reached(isCaughtUp: Bool)
        /// Beacons have stopped arriving.
        case feedLost
        /// All missed changes have arrived.
        case feedResumed
        /// The feed cannot give further changes.
        case feedEnded(ServiceError)
        /// A change cannot be applied, so later answers could be wrong.
        case changeFailed
        /// The pause of ``Phase/paused`` is over.
        case pauseOver
    }

    enum Action: Equatable {
        /// End the feed, and load a replica.
        case load
        /// Follow the feed from the loaded replica's position.
        case follow
        /// Let the loaded replica answer instead of the replica before. Requests that wait for the old replica are
        /// answered or refused, because their positions may be in another history.
        case serve
        /// Refuse the requests that wait for the replica, and report ``Event/pauseOver`` after a pause.
        case pause
    }

    private(set) var phase = Phase.stopped
    /// Whether a replica has caught up since the start. From then on queries are answered, however old the replica is.
    private(set) var isServing = false
    /// Whether beacons have stopped arriving on the present feed.
    private(set) var isFeedLost = false
    /// The reason why no query is answered, not even from a replica that has caught up; nil if queries are answered.
    private(set) var halted: ServiceError?

    mutating func handle(_ event: Event) -> Action? {
        switch (event, phase) {
        case (.started, .stopped), (.pauseOver, .paused): return load()
        case (.loaded, .loading):
            phase = .catchingUp
            // If the new feed is lost too, it will report that.
            isFeedLost = false
            return .follow
        case (.reached(isCaughtUp: true), .catchingUp):
            (phase, isServing, halted) = (.following, true, nil)
            return .serve
        case (.feedLost, .catchingUp), (.feedLost, .following): isFeedLost = true
        case (.feedResumed, .catchingUp), (.feedResumed, .following): isFeedLost = false
        case (.feedEnded(let error), .catchingUp), (.feedEnded(let error), .following):
            guard error.code == .protocolVersion else { return load() }
            (phase, halted) = (.paused, error)
            return .pause
        case (.changeFailed, .catchingUp), (.changeFailed, .following): return load()
        // All other events come from a feed or a load that has ended.
        default: break
        }
        return nil
    }

    private mutating func load() -> Action {
        phase = .loading
        return .load
    }
}
