// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Geodesy
import Landmarks
import TestSupport
import WaymarkProtocol

@testable import WaymarkClient

/// Storage, a bad network, a receiver and the client's queue behind it, driven by one seed.
///
/// The network loses messages, repeats them, and is cut and reconnected while the old connection still delivers. The
/// log answers late, in small pages or not at all. Storage is killed and restarted, compacted, and replaced by an
/// older copy of its file or a restored backup. The consumer pauses, and then the queue says when to hold. A firewall
/// closes the feed's port and opens it again; meanwhile each page of the log is followed by the next pull, as
/// `FeedFollower` does it, and a pull waits for something newer.
struct FeedSimulation {
    typealias Message = (header: FeedHeader, change: SimulatedStorage.Entry?)

    private var random: SplitMix64
    private(set) var storage: SimulatedStorage
    private var copy: SimulatedStorage
    var old: [Message] = []
    var wire: [Message] = []
    var pull: Position?
    var receiver: FeedReceiver<SimulatedStorage.Entry>
    /// So small that it is sometimes full, by number and by bytes.
    private var queue = FeedQueue(FeedBounds(most: 6, few: 3, bytes: 2_500))
    /// Whether the consumer pauses.
    private var isPausing = false
    private var isLost = false
    /// Whether the feed's port is closed: nothing arrives.
    var isClosed = false
    /// Whether the receiver was told of silence, and no message has come since.
    var isSilent = false
    private let landmark: Landmark
    private(set) var received: [UInt64] = []
    /// The last revision that the consumer took.
    private var lastRev: UInt64
    let start: UInt64
    var problem: String?
    var end: SimulatedStorage.Refusal?
    /// Whether something happened that may end a feed.
    private var mayEnd = false

    init(seed: UInt64) throws {
        landmark = Landmark(
            id: UUIDv7(high: 3, low: 1), name: "x", coordinate: try Coordinate(latitude: 1, longitude: 2))
        random = SplitMix64(seed: seed)
        storage = SimulatedStorage(&random)
        copy = storage
        // Either an earlier revision, as a person types it, or the present one, as storage reported it.
        let isTyped = random.next() % 2 == 0
        start = isTyped ? random.next() % (storage.head + 1) : storage.head
        let position = Position(epoch: storage.epoch, rev: start, run: isTyped ? nil : storage.run)
        receiver = FeedReceiver(from: position, chainLimit: 4)
        lastRev = start
    }

    mutating func step() {
        guard end == nil else { return }
        // Messages are delivered about as fast as they are published, so that the receiver is caught up half of the
        // time.
        switch random.next() % 60 {
        case 0..<14: if let message = storage.commit(&random) { send(message) }
        case 14..<18: send(storage.beacon())
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
        case 36, 37: isPausing.toggle()
        case 38..<41: if pull == nil { perform(receiver.retry()) }
        case 41: if pull == nil { perform(receiver.poll()) }
        case 42: if pull == nil { silence() }
        case 43: if random.next() % 2 == 0 { isClosed ? open() : close() }
        default: deliver()
        }
        if !isPausing { takeItems() }
    }

    /// Most runs have no event that may end a feed.
    private mutating func rarely(_ body: (inout FeedSimulation) -> Void) {
        guard random.next() % 12 == 0 else { return }
        mayEnd = true
        body(&self)
    }

    private mutating func lose() {
        guard !wire.isEmpty else { return }
        wire.remove(at: Int(random.next() % UInt64(wire.count)))
    }

    /// The subscription is renewed. Messages of the old connection arrive in between, or never.
    private mutating func cut() {
        old = random.next() % 2 == 0 ? wire : []
        wire = isClosed ? [] : [storage.beacon()]
    }

    /// Delivers everything in flight, and a last beacon.
    mutating func settle() {
        isPausing = false
        takeItems()
        if isClosed {
            settleClosed()
            open()
        }
        while !wire.isEmpty || !old.isEmpty {
            deliver()
            takeItems()
        }
        // A beacon that arrives while a page is read moves nothing; the next one does.
        for _ in 0..<2 {
            wire.append(storage.beacon())
            deliver()
            for _ in 0..<10_000 where end == nil {
                takeItems()
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
        if queue.isHolding || queue.bytes != 0 { problem = problem ?? "taken empty, and \(queue.bytes) bytes are held" }
        if receiver.position.rev != storage.head { problem = problem ?? "the position is not the head" }
    }

    private mutating func deliver() {
        let isOld = !old.isEmpty && (wire.isEmpty || random.next() % 2 == 0)
        guard isOld || !wire.isEmpty else { return }
        isSilent = false
        let message = isOld ? old.removeFirst() : wire.removeFirst()
        perform(message.change.map { receiver.change(message.header, $0) } ?? receiver.beacon(message.header))
    }

    mutating func answerPull(fails mayFail: Bool = true) {
        guard let since = pull else { return }
        // Its time is over now and then.
        let isNewest = since.rev == storage.head && (since.run == nil || since.run == storage.run)
        if mayFail, isSilent, isNewest, random.next() % 4 > 0 { return }
        pull = nil
        if mayFail, random.next() % 4 == 0 {
            // The pull is retried later, after other events.
            receiver.pullFailed()
            return
        }
        switch storage.changes(since: since, limit: 1 + Int(random.next() % 6)) {
        case .success(let page):
            perform(receiver.page(changes: page.changes, through: page.through, run: page.run))
            if isSilent, isClosed, pull == nil { silence() }
        case .failure(let error): end = error.refusal
        }
    }

    mutating func perform(_ actions: [FeedReceiver<SimulatedStorage.Entry>.Action]) {
        for action in actions where end == nil {
            switch action {
            // A change that the topic includes but the filter does not becomes a mark.
            case .deliver(let rev, let entry): put(entry.matches ? item(entry, rev) : .reached(Self.at(rev)))
            case .pull(let position):
                if pull != nil { problem = problem ?? "two pulls at once" }
                pull = position
            case .reached(let rev): put(.reached(Self.at(rev)))
            case .epochChanged: end = .otherHistory
            case .lost: put(.lost(FeedLoss(endpoint: "", cause: .silent)))
            case .gap(let rev): put(.gap(Self.at(rev)))
            case .resumed(let rev, let replayed): put(.resumed(Self.at(rev), replayed: replayed))
            }
        }
    }

    private static func at(_ rev: UInt64) -> Position { Position(epoch: FeedReceiverTests.epoch, rev: rev, run: nil) }

    private func item(_ entry: SimulatedStorage.Entry, _ rev: UInt64) -> FeedItem {
        let change = Change(
            rev: rev, at: entry.change, operation: .changed, user: "", landmark: landmark, before: nil)
        return .change(FeedChange(change, as: .changed, at: Self.at(rev)))
    }

    private mutating func put(_ item: FeedItem) {
        if queue.put(.success(item)) { receiver.hold() }
    }

    mutating func takeItems() {
        while let (item, mayResume) = queue.take() {
            if case .success(let item) = item { took(item) }
            if mayResume { perform(receiver.release()) }
        }
    }

    private mutating func took(_ item: FeedItem) {
        switch item {
        case .change(let told):
            let rev = told.position.rev
            if rev <= lastRev { problem = problem ?? "got \(rev) after \(lastRev)" }
            lastRev = rev
            received.append(told.change.at)
        case .reached(let position):
            if position.rev < lastRev { problem = problem ?? "reached \(position.rev) after \(lastRev)" }
            lastRev = position.rev
        case .lost: isLost = true
        case .gap(let position):
            if position.rev < lastRev { problem = problem ?? "a gap after \(position.rev), at \(lastRev)" }
        case .resumed(let position, _):
            if position.rev != lastRev { problem = problem ?? "resumed at \(position.rev), not \(lastRev)" }
            isLost = false
        case .landmark, .synced: problem = problem ?? "a snapshot that nobody asked for"
        }
    }
}
