// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Landmarks
import TestSupport
import WaymarkProtocol

/// A change in the form in which relays keep it.
extension SimulatedStorage.Entry {
    func encoded(_ rev: UInt64) -> [UInt8] {
        [matches ? 1 : 0] + (0..<8).map { UInt8(truncatingIfNeeded: rev >> ($0 * 8)) }
            + (0..<8).map { UInt8(truncatingIfNeeded: change >> ($0 * 8)) }
    }

    static func decoded(_ bytes: [UInt8]) -> (rev: UInt64, payload: SimulatedStorage.Entry) {
        func number(_ range: Range<Int>) -> UInt64 { bytes[range].reversed().reduce(0) { $0 << 8 | UInt64($1) } }
        return (number(1..<9), SimulatedStorage.Entry(change: number(9..<17), matches: bytes[0] == 1))
    }
}

/// A relay without sockets: the real receiver, relay and numbering, and the numbers of two feeds, of everything and of
/// what matches, as `FeedPublisher` counts them.
struct SimulatedRelay {
    typealias Entry = SimulatedStorage.Entry
    typealias Message = FeedSimulation.Message

    /// What one step has brought about.
    struct Outcome {
        var ofEverything: [Message] = []
        var ofMatches: [Message] = []
        var hasEnded = false
    }

    /// Another relay that it follows; nil: storage itself.
    let source: Int?
    private(set) var relay: Relay
    /// Nil until it has loaded its replica.
    private(set) var receiver: FeedReceiver<Entry>?
    private var numbering: FeedNumbering?
    private var n: UInt64 = 0
    /// Nil while nobody follows what matches.
    private var nOfMatches: UInt64?
    /// Messages on their way to it.
    var wire: [Message] = []
    var pull: Position?
    /// What it reads before its first change.
    private(set) var fill: (before: Position, stretch: UInt64)?
    private let firstNumber: @Sendable () -> UInt64

    init(source: Int?, firstNumber: @escaping @Sendable () -> UInt64) {
        (self.source, self.firstNumber) = (source, firstNumber)
        relay = Relay(bounds: .init(changes: 24, bytes: 17 * 20), firstNumber: firstNumber)
    }

    /// The process ends. Another one has not loaded anything.
    mutating func restart() {
        self = SimulatedRelay(source: source, firstNumber: firstNumber)
    }

    /// The replica was loaded at this position of storage.
    mutating func load(at position: Position, floor: UInt64) {
        receiver = FeedReceiver(from: position, chainLimit: 4)
        guard let run = position.run else { return }
        var nothing = Outcome()
        perform(relay.began(at: position, run: run, floor: floor), nil, &nothing)
        fill = (position, relay.stretches)
        pull = nil
        if case .pull(let since)? = receiver?.poll().first { pull = since }
    }

    /// Nobody follows what matches any more.
    mutating func dropMatches() { nOfMatches = nil }

    mutating func beginMatches() { nOfMatches = nOfMatches ?? numbering?.count ?? 0 }

    /// Nil while it is silent.
    func beacon(ofMatches: Bool) -> Message? {
        guard !relay.isSilent, let numbering else { return nil }
        guard ofMatches else { return (numbering.beacon(n: n), nil) }
        return nOfMatches.map { (numbering.beacon(n: $0), nil) }
    }

    mutating func receive(_ message: Message) -> Outcome {
        act { receiver in
            message.change.map { receiver.change(message.header, $0) } ?? receiver.beacon(message.header)
        }
    }

    mutating func silence() -> Outcome { act { $0.silence() } }
    mutating func retry() -> Outcome { act { $0.retry() } }
    mutating func pullFailed() { receiver?.pullFailed() }

    mutating func took(_ page: (changes: [(rev: UInt64, payload: Entry)], through: UInt64, run: UUIDv7)) -> Outcome {
        act { $0.page(changes: page.changes, through: page.through, run: page.run) }
    }

    /// What it missed cannot be had any more: everything is loaded anew.
    mutating func end() {
        relay.ended()
        (receiver, pull, fill) = (nil, nil, nil)
        wire.removeAll()
    }

    mutating func filled(_ older: [[UInt8]], through: UInt64, run: UUIDv7?) {
        if let fill { relay.filled(older, through: through, run: run, stretch: fill.stretch) }
        fill = nil
    }

    private mutating func act(_ body: (inout FeedReceiver<Entry>) -> [FeedReceiver<Entry>.Action]) -> Outcome {
        var outcome = Outcome()
        guard var present = receiver.take() else { return outcome }
        let actions = body(&present)
        // When an action is done the position is that after all of them, as with `FeedFollower`.
        let run = present.position.run
        receiver = present
        for action in actions {
            switch action {
            case .deliver(let rev, let entry):
                let steps = relay.took(rev, in: run, floor: numbering?.floor ?? 1, bytes: entry.encoded(rev))
                perform(steps, (rev, entry), &outcome)
            case .reached: perform(relay.reached(in: run, floor: numbering?.floor ?? 1), nil, &outcome)
            case .pull(let position): pull = position
            case .epochChanged:
                outcome.hasEnded = true
                return outcome
            case .lost: relay.lost()
            case .resumed: relay.resumed()
            case .gap: break
            }
        }
        return outcome
    }

    private mutating func perform(
        _ steps: [Relay.Step], _ change: (rev: UInt64, entry: Entry)?, _ outcome: inout Outcome
    ) {
        for step in steps {
            switch step {
            case .begin(let new):
                (numbering, n) = (new, new.count)
                if nOfMatches != nil { nOfMatches = new.count }
            case .resume(let run): numbering?.resume(in: run)
            case .publish:
                guard let change, let skipped = numbering?.change(change.rev), let numbering else { continue }
                func header(_ n: UInt64) -> FeedHeader {
                    FeedHeader(epoch: numbering.epoch, run: numbering.run, n: n, rev: change.rev)
                }
                n += skipped + 1
                outcome.ofEverything.append((header(n), change.entry))
                guard let last = nOfMatches else { continue }
                let now = last + skipped + (change.entry.matches ? 1 : 0)
                nOfMatches = now
                if change.entry.matches {
                    outcome.ofMatches.append((header(now), change.entry))
                }
            }
        }
    }
}
