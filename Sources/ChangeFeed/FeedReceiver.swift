// SPDX-License-Identifier: Apache-2.0

import DequeModule
public import Landmarks
public import WaymarkProtocol

/// The receiving side of a feed. It hands a change on only when it is proved that no earlier change is missing.
///
/// A receiver is pure: the caller passes events in and performs the returned actions; there are no sockets and no
/// clock. `Payload` is the content of a change, which the receiver does not look at.
///
/// Two sources are joined. *Live* messages are fast and may be lost. Each has a number `n`, consecutive within a feed
/// and a run, and a beacon repeats the last number. The *log* is slow and complete, and each of its pages names the
/// revision through which it was read. Two rules join the sources:
///
/// - Live messages form an unbroken chain as long as each `n` follows the previous `n` in the same run. Where the chain
///   begins or breaks, the present message (or beacon) becomes its anchor. Everything up to the anchor's revision must
///   come from the log, and everything after it is in the chain.
/// - `position` is the revision through which everything has been handed on. When the log has brought it to the anchor,
///   the buffered part of the chain is handed on. From then on live messages are handed on at once.
///
/// The buffer for the chain is limited. When it is full, it is dropped and its end becomes the anchor. So a receiver
/// that falls behind costs reads of the log, but neither memory nor changes.
///
/// Rules 2 to 7 of `Protocol.md`, part Following, are implemented here; `FeedFollower` implements the rules about
/// sockets and clocks.
public struct FeedReceiver<Payload> {
    public typealias Item = (rev: UInt64, payload: Payload)

    /// How often events happened, for people and for metrics.
    public internal(set) var counters = FeedCounters()
    /// The revision through which everything has been handed on, and the run that has reported it.
    public internal(set) var position: Position

    var run: UUIDv7?
    private var next: UInt64 = 0
    var anchor: UInt64 = 0
    /// The buffered part of the chain. `chainCount` is kept beside it, because the deque's own count would look up the
    /// layout of `Payload` at run time.
    private var chain: Deque<(item: Item, bytes: Int)> = []
    private(set) var chainCount = 0
    private var chainBytes = 0
    private let chainLimit: Int
    private let chainByteLimit: Int
    /// Whether a pull is in progress.
    public internal(set) var isPulling = false
    /// Whether a pull is still to be made, because it has failed or because changes were held.
    var owesPull = false
    var isHeld = false
    private var isLost = false
    /// The number of changes from the log at the moment when the live feed broke off; nil while the feed is unbroken.
    var pulledBefore: UInt64?
    var isOver = false

    /// - Parameters:
    ///   - position: the last position that the caller has seen.
    ///   - chainLimit: the maximum number of live changes that wait for the log.
    ///   - chainByteLimit: the maximum size in bytes of these changes.
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
    /// - Parameter bytes: the size of the change in memory, while it waits.
    public mutating func change(_ header: FeedHeader, _ payload: Payload, bytes: Int = 0) -> [Action] {
        if passes(header) { return [.deliver(rev: header.rev, payload)] }
        return heard(header, isNext: header.n == next) { $0.receive(header, payload, bytes) }
    }

    /// Accepts a change if it is the next change and nothing has to be done before it. The caller then hands it on.
    ///
    /// Nearly every change takes this path, which avoids making a list of actions.
    ///
    /// - Returns: false if the change was not accepted and has to be passed to ``change(_:_:bytes:)``.
    public mutating func passes(_ header: FeedHeader) -> Bool {
        guard header.run == run, header.n == next, header.epoch == position.epoch, header.rev > position.rev,
            !isLost, pulledBefore == nil, !isHeld, !isOver, isCaughtUp
        else { return false }
        next &+= 1
        reach(header.rev)
        counters.live += 1
        return true
    }

    /// Handles a beacon, which shows that every message published before it has arrived or is lost.
    public mutating func beacon(_ header: FeedHeader) -> [Action] {
        heard(header, isNext: header.n &+ 1 == next) { receiver in
            guard receiver.isCaughtUp, header.rev > receiver.position.rev else { return [] }
            receiver.reach(header.rev)
            return [.reached(rev: header.rev)]
        }
    }

    /// Reads the log instead of the feed. Must be called when nothing has arrived for several beacon intervals, and
    /// repeatedly until something arrives.
    public mutating func silence() -> [Action] {
        guard !isOver else { return [] }
        let isNew = !isLost
        isLost = true
        if pulledBefore == nil { pulledBefore = counters.pulled }
        return (isNew ? [.lost] : []) + poll()
    }

    /// Compares a message with the history and the chain.
    ///
    /// - Parameters:
    ///   - isNext: whether the message has the expected number.
    ///   - handle: handles the message if it continues the chain.
    private mutating func heard(
        _ header: FeedHeader, isNext: Bool, _ handle: (inout FeedReceiver) -> [Action]
    ) -> [Action] {
        guard !isOver else { return [] }
        guard header.epoch == position.epoch else {
            isOver = true
            return [.epochChanged(to: header.epoch)]
        }
        isLost = false
        let before = counters
        var actions = header.run == run && isNext ? handle(&self) : breakChain(header)
        let breaks = counters.gaps + counters.runs - before.gaps - before.runs
        if breaks > 0, pulledBefore == nil {
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
        next &+= 1
        // The change is also buffered if earlier changes wait. If it were handed on first, the earlier changes would
        // count as known and would be lost.
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

    /// Moves the position to a revision that the current run's publisher has reported.
    private mutating func reach(_ rev: UInt64) {
        position.rev = rev
        position.run = run
    }

    private mutating func breakChain(_ header: FeedHeader) -> [Action] {
        if run != nil {
            if header.run == run { counters.gaps += 1 } else { counters.runs += 1 }
        }
        // Nothing is known yet about a publisher that was restarted. The log is read even if the anchor is not ahead,
        // because it answers with an error if its history does not reach the position.
        let isNewRun = header.run != run
        run = header.run
        next = header.n &+ 1
        // Everything that the previous run published is durable. So an anchor beyond the new run's head can only come
        // from a history that was cut.
        if isNewRun { anchor = 0 }
        let actions = moveAnchor(to: header.rev)
        return isNewRun ? actions + poll() : actions
    }

    private mutating func moveAnchor(to rev: UInt64) -> [Action] {
        dropChain()
        anchor = max(anchor, rev)
        guard position.rev < anchor else { return [] }
        return poll()
    }

    mutating func dropChain() {
        chain.removeAll()
        (chainCount, chainBytes) = (0, 0)
    }

    /// Reads the log from the position on without waiting for a message. Callers do so at the start with a known
    /// position, and when beacons stop.
    public mutating func poll() -> [Action] {
        guard !isOver, !isPulling else { return [] }
        guard !isHeld else {
            owesPull = true
            return []
        }
        isPulling = true
        counters.pulls += 1
        return [.pull(since: position)]
    }
}
