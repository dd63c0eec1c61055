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

    /// What happened, for people and for counters.
    public internal(set) var counters = FeedCounters()
    /// Through which revision everything has been handed on.
    public internal(set) var position: Position

    var run: UUIDv7?
    private var next: UInt64 = 0
    var anchor: UInt64 = 0
    /// With its own count: asked of the list, it would have to know at run time what a `Payload` is.
    private var chain: Deque<(item: Item, bytes: Int)> = []
    private(set) var chainCount = 0
    private var chainBytes = 0
    private let chainLimit: Int
    private let chainByteLimit: Int
    var isPulling = false
    /// A pull that failed, or was put off while held, and has not been made up for.
    var owesPull = false
    var isHeld = false
    private var isLost = false
    /// How many changes had come from the log when the live feed broke off; nil while it has not.
    private var pulledBefore: UInt64?
    var isOver = false

    /// - Parameters:
    ///   - position: the last position that was seen.
    ///   - chainLimit: how many live changes may wait for the log.
    ///   - chainByteLimit: how many bytes they may take.
    public init(from position: Position, chainLimit: Int = 4_096, chainByteLimit: Int = 16 * 1_024 * 1_024) {
        self.position = position
        self.chainLimit = max(1, chainLimit)
        self.chainByteLimit = chainByteLimit
    }

    /// Whether everything that the publisher is known to have published has been handed on.
    public var isCaughtUp: Bool {
        run != nil && !isPulling && !owesPull && chainCount == 0 && position.rev >= anchor
    }

    /// A change arrived on the feed.
    ///
    /// - Parameter bytes: what it takes while it waits.
    public mutating func change(_ header: FeedHeader, _ payload: Payload, bytes: Int = 0) -> [Action] {
        if passes(header) { return [.deliver(rev: header.rev, payload)] }
        return heard { $0.take(header, payload, bytes) }
    }

    /// Takes a change that is the next one while nothing else is to be done first: whoever calls hands it on.
    ///
    /// Nearly every change is one of these, and costs no list of actions then.
    ///
    /// - Returns: false for any other, and nothing was taken: it is for ``change(_:_:bytes:)``.
    public mutating func passes(_ header: FeedHeader) -> Bool {
        guard header.run == run, header.n == next, header.epoch == position.epoch, header.rev > position.rev,
            !isLost, pulledBefore == nil, !isHeld, !isOver, isCaughtUp
        else { return false }
        next &+= 1
        reach(header.rev)
        counters.live += 1
        return true
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

    private mutating func take(_ header: FeedHeader, _ payload: Payload, _ bytes: Int) -> [Action] {
        if let over = changedEpoch(header) { return over }
        if Mutation.isOn(.skipNumbers) { next = header.n }
        guard header.run == run, header.n == next else {
            return breakChain(header)
        }
        next &+= 1
        // Also while something waits: what came first goes first, or it would count as known and be lost.
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

    private mutating func take(_ header: FeedHeader) -> [Action] {
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

    mutating func dropChain() {
        chain.removeAll()
        (chainCount, chainBytes) = (0, 0)
    }

    private mutating func hand(on rev: UInt64, _ payload: Payload) -> [Action] {
        guard rev > position.rev else { return [] }
        reach(rev)
        counters.live += 1
        return [.deliver(rev: rev, payload)]
    }

    /// Through a revision that the publisher of the present run told of.
    private mutating func reach(_ rev: UInt64) {
        position.rev = rev
        position.run = run
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
        dropChain()
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
        guard position.epoch != header.epoch, !Mutation.isOn(.epochBlind) else { return nil }
        isOver = true
        return [.epochChanged(to: header.epoch)]
    }
}
