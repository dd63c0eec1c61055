// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Landmarks

/// A subscriber without sockets: the real receiver, and what its owner was told.
struct SimulatedSubscriber {
    typealias Entry = SimulatedStorage.Entry
    typealias Message = FeedSimulation.Message

    /// Whether it follows only what matches.
    let isFiltered: Bool
    let start: UInt64
    /// The number of the relay that it follows; nil: storage itself.
    var source: Int?
    private(set) var receiver: FeedReceiver<Entry>
    var wire: [Message] = []
    /// What an old connection still delivers.
    var old: [Message] = []
    var pull: Position?
    private(set) var received: [UInt64] = []
    private(set) var lastRev: UInt64
    private(set) var hasEnded = false
    private(set) var problem: String?

    init(from position: Position, isFiltered: Bool, source: Int?) {
        (self.isFiltered, self.source, start, lastRev) = (isFiltered, source, position.rev, position.rev)
        receiver = FeedReceiver(from: position, chainLimit: 4)
        poll()
    }

    var isCaughtUp: Bool { receiver.isCaughtUp }

    /// The program ends, and a new one goes on from the last position.
    mutating func resume() {
        receiver = FeedReceiver(from: receiver.position, chainLimit: 4)
        (wire, old, pull) = ([], [], nil)
        poll()
    }

    mutating func poll() { if pull == nil { perform(receiver.poll()) } }
    mutating func silence() { perform(receiver.silence()) }
    mutating func retry() { if pull == nil { perform(receiver.retry()) } }

    mutating func deliver(old isOld: Bool) {
        guard !hasEnded, !(isOld ? old : wire).isEmpty else { return }
        let message = isOld ? old.removeFirst() : wire.removeFirst()
        if let entry = message.change, receiver.passes(message.header) {
            return took(message.header.rev, entry)
        }
        perform(message.change.map { receiver.change(message.header, $0) } ?? receiver.beacon(message.header))
    }

    mutating func pullFailed() {
        pull = nil
        receiver.pullFailed()
    }

    mutating func took(_ page: (changes: [(rev: UInt64, payload: Entry)], through: UInt64, run: UUIDv7)) {
        pull = nil
        perform(receiver.page(changes: page.changes, through: page.through, run: page.run))
    }

    mutating func end() { (hasEnded, pull) = (true, nil) }

    private mutating func perform(_ actions: [FeedReceiver<Entry>.Action]) {
        for action in actions where !hasEnded {
            switch action {
            case .deliver(let rev, let entry): took(rev, entry)
            case .reached(let rev):
                if rev < lastRev { problem = problem ?? "reached \(rev) after \(lastRev)" }
                lastRev = max(rev, lastRev)
            case .pull(let position):
                if pull != nil { problem = problem ?? "two pulls at once" }
                pull = position
            case .epochChanged: end()
            case .lost, .gap, .resumed: break
            }
        }
    }

    private mutating func took(_ rev: UInt64, _ entry: Entry) {
        if rev <= lastRev { problem = problem ?? "got \(rev) after \(lastRev)" }
        if isFiltered, !entry.matches { problem = problem ?? "got \(rev), which does not match" }
        lastRev = rev
        received.append(entry.change)
    }
}
