// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Landmarks
import TestSupport
import WaymarkProtocol

/// Storage, a bad network and a receiver, all from a seed.
///
/// The network loses messages, repeats them, is cut and connected anew while the old connection still delivers; the log
/// answers late, in small pages or not at all; storage is killed and starts again, is compacted, gets an older copy of
/// its file put back or a backup restored; whoever takes the changes pauses.
struct FeedSimulation {
    typealias Message = (header: FeedHeader, change: UInt64?)

    private var random: SplitMix64
    private(set) var storage: SimulatedStorage
    private var copy: SimulatedStorage
    private var old: [Message] = []
    private var wire: [Message] = []
    private var pull: Position?
    private var receiver: FeedReceiver<UInt64>
    private var isHeld = false
    private var isLost = false
    private(set) var received: [UInt64] = []
    private var lastRev: UInt64
    let start: UInt64
    private(set) var problem: String?
    private(set) var end: SimulatedStorage.Refusal?
    /// Whether something happened that may end a feed.
    private var mayEnd = false

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        storage = SimulatedStorage(&random)
        copy = storage
        // Somewhere in the past, as a person types it; or now, as storage has told it.
        let isTyped = random.next() % 2 == 0
        start = isTyped ? random.next() % (storage.head + 1) : storage.head
        let position = Position(epoch: storage.epoch, rev: start, run: isTyped ? nil : storage.run)
        receiver = FeedReceiver(from: position, chainLimit: 4)
        lastRev = start
    }

    mutating func step() {
        guard end == nil else { return }
        // Messages are delivered about as fast as they are published, so that the receiver is caught up half of the time.
        switch random.next() % 60 {
        case 0..<14: if let message = storage.commit(&random) { wire.append(message) }
        case 14..<18: wire.append(storage.beacon())
        case 18, 19: lose()
        case 20: if let message = wire.randomElement(using: &random) { wire.insert(message, at: 0) }
        case 21: cut()
        case 22, 23:
            storage.start()
            if random.next() % 2 == 0 { wire.removeAll() }
        case 24: copy = storage
        case 25: rarely { $0.storage.putBack($0.copy) }
        case 26: rarely { $0.storage.restore($0.copy) }
        case 27: rarely { $0.storage.compact(below: $0.storage.head - min($0.storage.head, 5)) }
        case 28..<36: answerPull()
        case 36, 37:
            isHeld.toggle()
            if isHeld { receiver.hold() } else { perform(receiver.release()) }
        case 38..<41: if pull == nil { perform(receiver.retry()) }
        case 41: if pull == nil { perform(receiver.poll()) }
        case 42: if pull == nil { perform(receiver.silence()) }
        default: deliver()
        }
    }

    /// Most runs are without what may end a feed.
    private mutating func rarely(_ body: (inout FeedSimulation) -> Void) {
        guard random.next() % 12 == 0 else { return }
        mayEnd = true
        body(&self)
    }

    private mutating func lose() {
        guard !wire.isEmpty else { return }
        wire.remove(at: Int(random.next() % UInt64(wire.count)))
    }

    /// The subscription is made anew; what the old connection still holds comes in between, or never.
    private mutating func cut() {
        old = random.next() % 2 == 0 ? wire : []
        wire = [storage.beacon()]
    }

    /// Lets everything arrive that is under way, and a last beacon.
    mutating func settle() {
        if isHeld { perform(receiver.release()) }
        isHeld = false
        while !wire.isEmpty || !old.isEmpty { deliver() }
        // A beacon that comes while a page is read moves nothing; the next one does.
        for _ in 0..<2 {
            wire.append(storage.beacon())
            deliver()
            for _ in 0..<10_000 where end == nil {
                if pull == nil { perform(receiver.retry()) }
                if pull == nil { break }
                answerPull(fails: false)
            }
        }
        guard end == nil else {
            if !mayEnd { problem = problem ?? "ended as \(String(describing: end)) for no reason" }
            return
        }
        let expected = storage.expected(after: start, through: storage.head)
        if received != expected { problem = problem ?? "got \(received), the log has \(expected)" }
        if !receiver.isCaughtUp { problem = problem ?? "not caught up" }
        if isLost { problem = problem ?? "lost, and never told to be found" }
        if receiver.position.rev != storage.head { problem = problem ?? "the position is not the head" }
    }

    private mutating func deliver() {
        let isOld = !old.isEmpty && (wire.isEmpty || random.next() % 2 == 0)
        guard isOld || !wire.isEmpty else { return }
        let message = isOld ? old.removeFirst() : wire.removeFirst()
        perform(message.change.map { receiver.change(message.header, $0) } ?? receiver.beacon(message.header))
    }

    private mutating func answerPull(fails mayFail: Bool = true) {
        guard let since = pull else { return }
        pull = nil
        if mayFail, random.next() % 4 == 0 {
            // It is tried again later, and things happen until then.
            receiver.pullFailed()
            return
        }
        switch storage.changes(since: since, limit: 1 + Int(random.next() % 6)) {
        case .success(let page): perform(receiver.page(changes: page.changes, through: page.through, run: page.run))
        case .failure(let error): end = error.refusal
        }
    }

    private mutating func perform(_ actions: [FeedReceiver<UInt64>.Action]) {
        for action in actions where end == nil {
            switch action {
            case .deliver(let rev, let change):
                if rev <= lastRev { problem = problem ?? "got \(rev) after \(lastRev)" }
                lastRev = rev
                received.append(change)
            case .pull(let position):
                if pull != nil { problem = problem ?? "two pulls at once" }
                pull = position
            case .reached(let rev):
                if rev < lastRev { problem = problem ?? "reached \(rev) after \(lastRev)" }
                lastRev = rev
            case .epochChanged: end = .otherHistory
            case .lost: isLost = true
            case .gap(let rev): if rev < lastRev { problem = problem ?? "a gap after \(rev), at \(lastRev)" }
            case .resumed(let rev, _):
                if rev != lastRev { problem = problem ?? "resumed at \(rev), not \(lastRev)" }
                isLost = false
            }
        }
    }
}
