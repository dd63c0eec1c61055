// SPDX-License-Identifier: Apache-2.0

import DequeModule
public import Landmarks
public import WaymarkProtocol

/// The receiving side of a feed: proves that no change is missing before it hands anything on.
///
/// A receiver is pure: events go in, actions come out; it has no sockets and no clock. `Payload` is the content of a
/// change, opaque here.
///
/// Two sources are joined. *Live* messages are fast and may be lost. Each has a number `n`, consecutive within a feed
/// and a run, and a beacon repeats the last one. The *log* is slow and complete: each page names the revision through
/// which it was read. Two rules join them:
///
/// - Live messages form an unbroken chain as long as each `n` follows the previous one in the same run. Where the chain
///   breaks or begins, the message (or beacon) at hand becomes its anchor: everything up to the anchor's revision must
///   come from the log, and everything after it is in the chain.
/// - `position` is the revision through which everything has been handed on. When the log has brought it to the anchor,
///   the buffered part of the chain is handed on, and from then on live messages pass straight through.
///
/// The buffer for the chain is bounded. When it is full it is dropped and its end becomes the anchor. So falling behind
/// costs reads of the log, but neither memory nor changes.
///
/// See `Protocol.md`, part Following: rules 2 to 7 are implemented here, the rules about sockets and clocks in
/// `FeedFollower`.
public struct FeedReceiver<Payload> {
    public typealias Item = (rev: UInt64, payload: Payload)

    /// Counts of events, for people and for metrics.
    public internal(set) var counters = FeedCounters()
    /// The revision through which everything has been handed on, and its run.
    public internal(set) var position: Position

    var run: UUIDv7?
    private var next: UInt64 = 0
    var anchor: UInt64 = 0
    /// The buffered part of the chain. `chainCount` is kept separately because the list's own count would look up the
    /// layout of `Payload` at run time.
    private var chain: Deque<(item: Item, bytes: Int)> = []
    private(set) var chainCount = 0
    private var chainBytes = 0
    private let chainLimit: Int
    private let chainByteLimit: Int
    /// Whether a pull is under way.
    public internal(set) var isPulling = false
    /// Whether a pull has failed, or was postponed while held, and is still to be made.
    var owesPull = false
    var isHeld = false
    private var isLost = false
    /// The count of changes from the log when the live feed broke off; nil while it is unbroken.
    private var pulledBefore: UInt64?
    var isOver = false

    /// - Parameters:
    ///   - position: the last position that the caller has seen.
    ///   - chainLimit: the most live changes that may wait for the log.
    ///   - chainByteLimit: the most bytes that they may take.
    public init(from position: Position, chainLimit: Int = 4_096, chainByteLimit: Int = 16 * 1_024 * 1_024) {
        self.position = position
        self.chainLimit = max(1, chainLimit)
        self.chainByteLimit = chainByteLimit
    }

    /// Whether every change that the publisher is known to have published has been handed on.
    public var isCaughtUp: Bool {
        run != nil && !isPulling && !owesPull && chainCount == 0 && position.rev >= anchor
    }

    /// Handles a change that arrived on the feed.
    ///
    /// - Parameter bytes: the memory that the change takes while it waits.
    public mutating func change(_ header: FeedHeader, _ payload: Payload, bytes: Int = 0) -> [Action] {
        if passes(header) { return [.deliver(rev: header.rev, payload)] }
        return heard { $0.receive(header, payload, bytes) }
    }

    /// Accepts a change if it is simply the next one and nothing has to be done before it. The caller then hands it on.
    ///
    /// Nearly every change takes this path, which avoids a list of actions.
    ///
    /// - Returns: false if the change was not accepted: give it to ``change(_:_:bytes:)``.
    public mutating func passes(_ header: FeedHeader) -> Bool {
        guard header.run == run, header.n == next, header.epoch == position.epoch, header.rev > position.rev,
            !isLost, pulledBefore == nil, !isHeld, !isOver, isCaughtUp
        else { return false }
        next &+= 1
        reach(header.rev)
        counters.live += 1
        return true
    }

    /// Handles a beacon: every message published before it has arrived or is lost.
    public mutating func beacon(_ header: FeedHeader) -> [Action] {
        heard { $0.receive(header) }
    }

    /// Reads the log instead of the feed. Call it when nothing was received for several beacon intervals, and
    /// repeatedly while the silence lasts.
    public mutating func silence() -> [Action] {
        guard !isOver else { return [] }
        let isNew = !isLost
        isLost = true
        if pulledBefore == nil { pulledBefore = counters.pulled }
        return (isNew ? [.lost] : []) + pull()
    }

    private mutating func heard(_ handle: (inout FeedReceiver) -> [Action]) -> [Action] {
        isLost = false
        let before = counters
        var actions = handle(&self)
        let breaks = counters.gaps + counters.runs - before.gaps - before.runs
        if breaks > 0, pulledBefore == nil, !isOver {
            pulledBefore = before.pulled
            actions.append(.gap(rev: position.rev))
        }
        return actions + resumed()
    }

    mutating func resumed() -> [Action] {
        guard let before = pulledBefore, !isLost, !isHeld, !isOver, isCaughtUp else { return [] }
        pulledBefore = nil
        return [.resumed(rev: position.rev, replayed: counters.pulled - before)]
    }

    private mutating func receive(_ header: FeedHeader, _ payload: Payload, _ bytes: Int) -> [Action] {
        if let over = changedEpoch(header) { return over }
        guard header.run == run, header.n == next else {
            return breakChain(header)
        }
        next &+= 1
        // Buffer the change also while earlier ones wait: a later one handed on first would make them count as known,
        // and they would be lost.
        if isPulling || owesPull || isHeld || position.rev < anchor || chainCount > 0 {
            guard chainCount < chainLimit, chainBytes + bytes <= chainByteLimit else {
                counters.overflows += 1
                return moveAnchor(to: header.rev)
            }
            chain.append(((header.rev, payload), bytes))
            chainCount += 1
            chainBytes += bytes
            return []
        }
        return hand(on: header.rev, payload)
    }

    private mutating func receive(_ header: FeedHeader) -> [Action] {
        if let over = changedEpoch(header) { return over }
        guard header.run == run, header.n &+ 1 == next else {
            return breakChain(header)
        }
        guard isCaughtUp, header.rev > position.rev else { return [] }
        reach(header.rev)
        return [.reached(rev: header.rev)]
    }

    mutating func drainChain() -> [Action] {
        var actions: [Action] = []
        while let (change, bytes) = chain.popFirst() {
            chainCount -= 1
            chainBytes -= bytes
            actions += hand(on: change.rev, change.payload)
        }
        return actions + [.reached(rev: position.rev)]
    }

    private mutating func hand(on rev: UInt64, _ payload: Payload) -> [Action] {
        guard rev > position.rev else { return [] }
        reach(rev)
        counters.live += 1
        return [.deliver(rev: rev, payload)]
    }

    /// Moves the position to a revision that the publisher of the current run reported.
    private mutating func reach(_ rev: UInt64) {
        position.rev = rev
        position.run = run
    }

    private mutating func breakChain(_ header: FeedHeader) -> [Action] {
        if run != nil {
            if header.run == run { counters.gaps += 1 } else { counters.runs += 1 }
        }
        // Nothing is known yet about a publisher that restarted. Ask the log even if the anchor is not ahead, because
        // the log answers with an error when its history does not reach as far as the position.
        let isNewRun = header.run != run
        run = header.run
        next = header.n &+ 1
        // Everything that the previous run published is durable, so an anchor beyond the new run's can only come from a
        // history that was cut.
        if isNewRun { anchor = 0 }
        let actions = moveAnchor(to: header.rev)
        return isNewRun ? actions + pull() : actions
    }

    private mutating func moveAnchor(to rev: UInt64) -> [Action] {
        chain.removeAll()
        (chainCount, chainBytes) = (0, 0)
        anchor = max(anchor, rev)
        guard position.rev < anchor else { return [] }
        return pull()
    }

    mutating func pull() -> [Action] {
        guard !isOver, !isPulling else { return [] }
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
        guard position.epoch != header.epoch else { return nil }
        isOver = true
        return [.epochChanged(to: header.epoch)]
    }
}
