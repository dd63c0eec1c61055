// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Landmarks
import TestSupport
import Testing
import WaymarkProtocol

/// A publisher, a network that loses messages, a log that answers late or not at all, and a receiver; all from a seed.
struct FeedSimulation {
    private var random: SplitMix64
    private var head: UInt64 = 0
    private var run: UInt64 = 1
    private var n: UInt64 = 0
    private var wire: [(header: FeedHeader, payload: UInt64?)] = []
    private var pulls: [UInt64] = []
    private var receiver: FeedReceiver<UInt64>
    private(set) var received: [UInt64] = []
    private(set) var start: UInt64 = 0
    private var isHeld = false
    private(set) var problem: String?

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        head = random.next() % 20
        if random.next() % 2 == 0 {
            start = head == 0 ? 0 : random.next() % (head + 1)
            receiver = FeedReceiver(from: Position(epoch: FeedReceiverTests.epoch, rev: start), chainLimit: 4)
        } else {
            receiver = FeedReceiver(from: nil, chainLimit: 4)
        }
    }

    private func header(_ rev: UInt64) -> FeedHeader {
        FeedHeader(epoch: FeedReceiverTests.epoch, run: UUIDv7(high: 0, low: run), n: n, rev: rev)
    }

    mutating func step() {
        // Messages are delivered about as fast as they are published, so that the receiver is caught up half of the time.
        switch random.next() % 26 {
        case 0..<6:
            head += 1
            n += 1
            wire.append((header(head), head))
        case 6, 7: wire.append((header(head), nil))
        case 8:
            // Published messages are lost, also the last one.
            if !wire.isEmpty { wire.remove(at: Int(random.next() % UInt64(wire.count))) }
        case 9:
            // The publisher is killed and starts again; what was on its way may be lost with it.
            run += 1
            n = 0
            if random.next() % 2 == 0 { wire.removeAll() }
        case 10..<13: answerPull()
        case 13:
            isHeld.toggle()
            if isHeld { receiver.hold() } else { perform(receiver.release()) }
        case 14, 15: if pulls.isEmpty { perform(receiver.retry()) }
        default: deliver()
        }
    }

    /// Lets everything arrive that is under way, and a last beacon.
    mutating func settle() {
        if isHeld { perform(receiver.release()) }
        isHeld = false
        while !wire.isEmpty { deliver() }
        wire.append((header(head), nil))
        deliver()
        for _ in 0..<10_000 {
            if pulls.isEmpty { perform(receiver.retry()) }
            if pulls.isEmpty { break }
            answerPull(fails: false)
        }
        if received.last ?? start != head, !(received.isEmpty && start == head) {
            problem = problem ?? "ended at \(received.last ?? start), the head is \(head)"
        }
        if !receiver.isCaughtUp { problem = problem ?? "not caught up" }
    }

    private mutating func deliver() {
        guard !wire.isEmpty else { return }
        let message = wire.removeFirst()
        let began = receiver.position != nil
        let actions = message.payload.map { receiver.change(message.header, $0) } ?? receiver.beacon(message.header)
        // A feed that begins at now begins where its first beacon says.
        if !began, let position = receiver.position { start = position.rev }
        perform(actions)
    }

    private mutating func answerPull(fails mayFail: Bool = true) {
        guard !pulls.isEmpty else { return }
        let since = pulls.removeFirst()
        if mayFail, random.next() % 4 == 0 {
            // It is tried again later, and things happen until then.
            receiver.pullFailed()
            return
        }
        let through = min(head, since + random.next() % 6)
        let page = since < through ? ((since + 1)...through).map { (rev: $0, payload: $0) } : []
        perform(receiver.page(changes: page, through: through))
    }

    private mutating func perform(_ actions: [FeedReceiver<UInt64>.Action]) {
        for action in actions {
            switch action {
            case .deliver(let rev, _):
                let expected = (received.last ?? start) + 1
                if rev != expected { problem = problem ?? "got \(rev) where \(expected) was due" }
                received.append(rev)
            case .pull(let position):
                if !pulls.isEmpty { problem = problem ?? "two pulls at once" }
                pulls.append(position.rev)
            case .reached(let rev):
                if rev > head { problem = problem ?? "reached \(rev) beyond the head \(head)" }
                if received.last ?? start != rev { problem = problem ?? "reached \(rev) without having given it" }
            case .epochChanged: problem = problem ?? "the epoch did not change"
            }
        }
    }
}

@Suite("A feed over a bad network", .timeLimit(.minutes(1)))
struct FeedSimulationTests {
    @Test("whatever is lost, late or restarted, every change comes once and in order")
    func everySeed() {
        for seed in 0..<3_000 as Range<UInt64> {
            var simulation = FeedSimulation(seed: seed)
            for _ in 0..<200 { simulation.step() }
            simulation.settle()
            #expect(simulation.problem == nil, "seed \(seed)")
            if simulation.problem != nil { return }
        }
    }
}
