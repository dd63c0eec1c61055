// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// What a query service does with its replica: it loads one, lets it catch up with storage, and follows the feed.
/// Pure: it gets events and returns what has to be done.
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
/// A replica that has caught up keeps answering while the next one is loaded.
struct ReplicaState: Equatable {
    enum Phase {
        /// Nothing has begun.
        case stopped
        /// A replica is being loaded. No feed is followed.
        case loading
        /// The loaded replica takes the changes since its position. Its landmarks may have different revisions, so it
        /// answers nothing yet.
        case catchingUp
        /// The replica takes the changes and answers.
        case following
        /// Storage sends what this version of the protocol does not have. Loading begins again after a pause, in case
        /// another storage serves by then.
        case paused
    }

    enum Event {
        case started
        /// All landmarks have been read.
        case loaded
        /// The feed has told everything through a revision.
        case reached(isCaughtUp: Bool)
        /// No beacon arrives.
        case feedLost
        /// Everything that was missed has been told.
        case feedResumed
        /// No further changes can be had.
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
        /// The loaded replica answers from now on, instead of the one before. What waits for that one is answered
        /// or refused, as its positions may be in another history.
        case serve
        /// Refuse what waits for the replica, and report ``Event/pauseOver`` after a pause.
        case pause
    }

    private(set) var phase = Phase.stopped
    /// Whether a replica has caught up since the start. From then on there are answers, however old.
    private(set) var isServing = false
    /// Whether no beacon arrives on the present feed.
    private(set) var isFeedLost = false
    /// Why nothing is answered, also from a replica that has caught up before; nil if there are answers.
    private(set) var halted: ServiceError?

    mutating func handle(_ event: Event) -> Action? {
        switch (event, phase) {
        case (.started, .stopped), (.pauseOver, .paused): return load()
        case (.loaded, .loading):
            phase = .catchingUp
            // The new feed reports a loss again if there is one.
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
        // The rest comes from a feed or a load that has ended.
        default: break
        }
        return nil
    }

    private mutating func load() -> Action {
        phase = .loading
        return .load
    }
}
