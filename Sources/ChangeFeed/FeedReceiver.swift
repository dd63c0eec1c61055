// SPDX-License-Identifier: Apache-2.0

import DequeModule
import Failpoints
public import Landmarks
public import WaymarkProtocol

/// The receiving side of a feed: proves that nothing is missing before it hands anything on.
///
/// Pure: events go in, actions come out; no sockets, no clock. `Payload` is what a change carries, opaque here.
///
/// Two sources meet. The *live* messages come fast and may be lost; each has a number `n`, dense within a feed and a
/// run, and a beacon repeats the last one. The *log* is slow and complete: a page of it says through which revision it
/// was read. The rule that joins them:
///
/// - Live messages are an unbroken chain as long as each `n` follows the one before, in the same run. Where the chain
///   breaks or begins, the message (or beacon) at hand becomes its anchor: everything up to the anchor's revision has
///   to come from the log, everything after it is in the chain.
/// - `position` is the revision through which everything has been handed on. Once the log has brought it to the
///   anchor, what gathered from the chain is handed on too, and from then on live messages go straight through.
///
/// The chain that gathers meanwhile is bounded: when it is full it is dropped and its end becomes the anchor, so that
/// falling behind costs reads of the log, not memory and not changes.
///
/// See `Protocol.md`, part Following: rules 2 to 7 are here, the sockets and clocks of the others in `FeedFollower`.
public struct FeedReceiver<Payload> {
    public typealias Item = (rev: UInt64, payload: Payload)

    public enum Action {
        /// Hand this on: it is the next change.
        case deliver(rev: UInt64, Payload)
        /// Everything through this revision has been handed on.
        case reached(rev: UInt64)
        /// Ask the log for what follows this position; answer with ``page(changes:through:)`` or
        /// ``pullFailed()``. Never asked for twice at a time.
        case pull(since: Position)
        /// The history is another one: positions mean nothing any more. Nothing follows.
        case epochChanged(to: UUIDv7)
        /// Nothing was heard for too long: the publisher is away, or the way to it is cut.
        case lost
        /// Live messages after this revision are missing: the log has been asked.
        case gap(rev: UInt64)
        /// After ``lost`` or ``gap(rev:)``: all that was missed has been handed on, `replayed` of it from the log.
        case resumed(rev: UInt64, replayed: UInt64)
    }

    /// What happened, for people and for counters.
    public private(set) var counters = FeedCounters()
    /// Through which revision everything has been handed on; nil until the first beacon when it began at "now".
    public private(set) var position: Position?

    private var run: UUIDv7?
    private var next: UInt64 = 0
    private var anchor: UInt64 = 0
    private var chain: Deque<Item> = []
    private let chainLimit: Int
    private var isPulling = false
    /// A pull that failed, or was put off while held, and has not been made up for.
    private var owesPull = false
    private var isHeld = false
    private var isLost = false
    /// How many changes had come from the log when the live feed broke off; nil while it has not.
    private var pulledBefore: UInt64?
    private var isOver = false

    /// - Parameters:
    ///   - position: the last position that was seen; nil to begin with what comes next.
    ///   - chainLimit: how many live changes may wait for the log.
    public init(from position: Position?, chainLimit: Int = 4_096) {
        self.position = position
        self.chainLimit = max(1, chainLimit)
    }

    /// Whether everything that the publisher is known to have published has been handed on.
    public var isCaughtUp: Bool {
        guard let position else { return false }
        return run != nil && !isPulling && !owesPull && chain.isEmpty && position.rev >= anchor
    }

    /// A change arrived on the feed.
    public mutating func change(_ header: FeedHeader, _ payload: Payload) -> [Action] {
        heard { $0.take(header, payload) }
    }

    /// A beacon arrived: what was published before it has arrived, or is lost.
    public mutating func beacon(_ header: FeedHeader) -> [Action] {
        heard { $0.take(header) }
    }

    /// Nothing has been heard for some beacons, and once more each time that this is called. The log is read by the
    /// other way.
    public mutating func silence() -> [Action] {
        guard !isOver else { return [] }
        let isNew = !isLost
        isLost = true
        if pulledBefore == nil { pulledBefore = counters.pulled }
        return (isNew ? [.lost] : []) + pull()
    }

    private mutating func heard(_ take: (inout FeedReceiver) -> [Action]) -> [Action] {
        isLost = false
        let before = counters
        var actions = take(&self)
        let breaks = counters.gaps + counters.runs - before.gaps - before.runs
        if breaks > 0, pulledBefore == nil, !isOver, let position {
            pulledBefore = before.pulled
            actions.append(.gap(rev: position.rev))
        }
        return actions + resumed()
    }

    private mutating func resumed() -> [Action] {
        guard let before = pulledBefore, !isLost, !isHeld, !isOver, isCaughtUp, let position else { return [] }
        pulledBefore = nil
        return [.resumed(rev: position.rev, replayed: counters.pulled - before)]
    }

    private mutating func take(_ header: FeedHeader, _ payload: Payload) -> [Action] {
        if let over = changedEpoch(header) { return over }
        guard let position else {
            // Before the first beacon of a feed that begins at "now": the beacon says where now is.
            return []
        }
        if Mutation.isOn(.skipNumbers) { next = header.n }
        guard header.run == run, header.n == next else {
            return breakChain(header)
        }
        next &+= 1
        // Also while something waits: what came first goes first, or it would count as known and be lost.
        if isPulling || owesPull || isHeld || position.rev < anchor || !chain.isEmpty {
            guard chain.count < chainLimit else {
                counters.overflows += 1
                return moveAnchor(to: header.rev)
            }
            chain.append((header.rev, payload))
            return []
        }
        return hand(on: header.rev, payload)
    }

    private mutating func take(_ header: FeedHeader) -> [Action] {
        if let over = changedEpoch(header) { return over }
        guard let position else {
            position = Position(epoch: header.epoch, rev: header.rev, run: header.run)
            run = header.run
            next = header.n &+ 1
            anchor = header.rev
            return [.reached(rev: header.rev)]
        }
        guard header.run == run, header.n &+ 1 == next else {
            return breakChain(header)
        }
        guard isCaughtUp, header.rev > position.rev else { return [] }
        reach(header.rev)
        return [.reached(rev: header.rev)]
    }

    /// A page of the log was read: all that it has of (position, through] and the filter wants.
    ///
    /// - Parameter run: that of the storage which read it; nil when it did not say.
    public mutating func page(changes: [Item], through: UInt64, run reader: UUIDv7? = nil) -> [Action] {
        let actions = take(changes, through, reader)
        return actions + resumed()
    }

    private mutating func take(_ changes: [Item], _ through: UInt64, _ reader: UUIDv7?) -> [Action] {
        guard !isOver, isPulling, var reached = position else { return [] }
        isPulling = false
        owesPull = false
        var actions: [Action] = []
        for change in changes where change.rev > reached.rev {
            actions.append(.deliver(rev: change.rev, change.payload))
            reached.rev = change.rev
            counters.pulled += 1
        }
        reached.rev = max(reached.rev, through)
        let hasMoved = reached.rev != position?.rev
        if hasMoved { reached.run = reader }
        position = reached
        if let reader, reader != run {
            // What gathered was published by another run than the one that read the page. Between the two the history
            // may have been cut, so neither follows the other; the next message begins the chain anew, and the log is
            // asked whether the position is one of its history.
            chain.removeAll()
            run = nil
            guard hasMoved else { return actions }
            return reached.rev < anchor ? actions + pull() : actions + [.reached(rev: reached.rev)]
        }
        guard reached.rev >= anchor else {
            // After a page that did not move the position the next one is asked for by retry(), after a pause.
            return hasMoved ? actions + pull() : actions
        }
        return isHeld ? actions : actions + drainChain()
    }

    /// The pull was not answered. It is asked for again with ``retry()``.
    public mutating func pullFailed() {
        isPulling = false
        owesPull = true
    }

    /// Time to try again what has not been done: call it after a pause when a pull failed.
    public mutating func retry() -> [Action] {
        guard !isOver, let position, owesPull || position.rev < anchor || !chain.isEmpty else { return [] }
        return pull()
    }

    /// Hand on nothing more until ``release()``: whoever takes the changes has enough of them for now. A pull that is
    /// under way is still handed on.
    public mutating func hold() {
        isHeld = true
    }

    /// Go on after ``hold()``.
    public mutating func release() -> [Action] {
        guard isHeld else { return [] }
        isHeld = false
        guard !isOver, !isPulling, let position else { return [] }
        let actions = owesPull || position.rev < anchor ? pull() : drainChain()
        return actions + resumed()
    }

    /// Read the log from the position on although no message asked for it: at the start with a known position, or when
    /// beacons stay away.
    public mutating func poll() -> [Action] {
        pull()
    }

    private mutating func drainChain() -> [Action] {
        var actions: [Action] = []
        while let change = chain.popFirst() {
            actions += hand(on: change.rev, change.payload)
        }
        if let rev = position?.rev { actions.append(.reached(rev: rev)) }
        return actions
    }

    private mutating func hand(on rev: UInt64, _ payload: Payload) -> [Action] {
        guard let reached = position?.rev, rev > reached else { return [] }
        reach(rev)
        counters.live += 1
        return [.deliver(rev: rev, payload)]
    }

    /// Through a revision that the publisher of the present run told of.
    private mutating func reach(_ rev: UInt64) {
        position?.rev = rev
        position?.run = run
    }

    private mutating func breakChain(_ header: FeedHeader) -> [Action] {
        if run != nil {
            if header.run == run { counters.gaps += 1 } else { counters.runs += 1 }
        }
        // Of a publisher that has started again nothing is known yet: the log is asked even when the anchor is not
        // ahead, and says so if it does not reach as far as the position.
        let isNewRun = header.run != run
        run = header.run
        next = header.n &+ 1
        // What the run before has published is durable, so a later anchor of it can only be of a history that was cut.
        if isNewRun { anchor = 0 }
        let actions = moveAnchor(to: header.rev)
        return isNewRun ? actions + pull() : actions
    }

    private mutating func moveAnchor(to rev: UInt64) -> [Action] {
        chain.removeAll()
        anchor = max(anchor, rev)
        guard let position, position.rev < anchor else { return [] }
        return pull()
    }

    private mutating func pull() -> [Action] {
        guard !isOver, !isPulling, let position else { return [] }
        guard !isHeld else {
            owesPull = true
            return []
        }
        isPulling = true
        counters.pulls += 1
        return [.pull(since: position)]
    }

    private mutating func changedEpoch(_ header: FeedHeader) -> [Action]? {
        if isOver { return [] }
        guard let position, position.epoch != header.epoch, !Mutation.isOn(.epochBlind) else { return nil }
        isOver = true
        return [.epochChanged(to: header.epoch)]
    }
}

/// What a receiver has been through.
public struct FeedCounters: Hashable, Sendable {
    /// Changes that were handed on as they came.
    public var live: UInt64 = 0
    /// Changes that came from the log.
    public var pulled: UInt64 = 0
    /// Times that the log was asked.
    public var pulls: UInt64 = 0
    /// Times that the chain of live messages broke within a run.
    public var gaps: UInt64 = 0
    /// Times that the publisher was found to have started again.
    public var runs: UInt64 = 0
    /// Times that more live changes waited than are kept.
    public var overflows: UInt64 = 0

    public init() {}
}
