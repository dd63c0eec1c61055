// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Landmarks
import TestTurns
import Testing
import WaymarkProtocol

@Suite("The receiving side of a feed", .computing)
struct FeedReceiverTests {
    static let epoch = UUIDv7(high: 1, low: 1)
    static let run = UUIDv7(high: 2, low: 1)
    static let nextRun = UUIDv7(high: 2, low: 2)

    typealias Receiver = FeedReceiver<String>
    typealias Action = Receiver.Action

    static func header(n: UInt64, rev: UInt64, run: UUIDv7 = run, epoch: UUIDv7 = epoch) -> FeedHeader {
        FeedHeader(epoch: epoch, run: run, n: n, rev: rev, floor: 1)
    }

    static func text(_ actions: [Action]) -> [String] {
        actions.map { action in
            switch action {
            case .deliver(let rev, let payload): "deliver \(rev) \(payload)"
            case .reached(let rev): "reached \(rev)"
            case .pull(let position): "pull \(position.rev)"
            case .epochChanged: "epoch"
            case .lost: "lost"
            case .gap(let rev): "gap \(rev)"
            case .resumed(let rev, let replayed): "resumed \(rev) replayed \(replayed)"
            }
        }
    }

    /// A receiver that has heard the feed at `rev` and is caught up.
    private static func current(n: UInt64, rev: UInt64, chainLimit: Int = 4_096) -> Receiver {
        var receiver = Receiver(from: Position(epoch: epoch, rev: rev), chainLimit: chainLimit)
        #expect(text(receiver.beacon(header(n: n, rev: rev))) == ["pull \(rev)"])
        #expect(text(receiver.page(changes: [], through: rev, run: run)) == ["reached \(rev)"])
        return receiver
    }

    @Test("hands on live changes after asking the log for earlier ones")
    func live() {
        var receiver = Self.current(n: 7, rev: 40)
        #expect(receiver.isCaughtUp)
        #expect(Self.text(receiver.change(Self.header(n: 8, rev: 41), "a")) == ["deliver 41 a"])
        #expect(Self.text(receiver.beacon(Self.header(n: 8, rev: 41))) == [])
        #expect(Self.text(receiver.beacon(Self.header(n: 8, rev: 43))) == ["reached 43"])
        #expect(receiver.isCaughtUp)
    }

    @Test("passes only the next change, and only if nothing has to be done before it")
    func passing() {
        func passes(
            _ receiver: inout Receiver, n: UInt64, rev: UInt64, run: UUIDv7 = Self.run, epoch: UUIDv7 = Self.epoch
        )
            -> Bool
        {
            receiver.passes(Self.header(n: n, rev: rev, run: run, epoch: epoch))
        }
        var receiver = Self.current(n: 7, rev: 40)
        let next = passes(&receiver, n: 8, rev: 41)
        #expect(next && receiver.position.rev == 41 && receiver.counters.live == 1)
        let others = [
            passes(&receiver, n: 8, rev: 42), passes(&receiver, n: 10, rev: 43), passes(&receiver, n: 9, rev: 41),
            passes(&receiver, n: 9, rev: 42, run: Self.nextRun), passes(&receiver, n: 9, rev: 42, epoch: Self.nextRun),
        ]
        var held = receiver
        held.hold()
        var silent = receiver
        _ = silent.silence()
        var asking = receiver
        _ = asking.poll()
        let busy = [
            passes(&held, n: 9, rev: 42), passes(&silent, n: 9, rev: 42), passes(&asking, n: 9, rev: 42),
        ]
        #expect(!others.contains(true) && !busy.contains(true))
        // A refused change was not recorded: it is accepted by the other method.
        #expect(Self.text(held.change(Self.header(n: 9, rev: 42), "b")) == [])
        #expect(Self.text(held.release()) == ["deliver 42 b", "reached 42"])
        let afterAll = passes(&receiver, n: 9, rev: 42)
        #expect(afterAll && receiver.counters.live == 2)
    }

    @Test("an empty page still tells the run of the position")
    func emptyPage() {
        var receiver = Receiver(from: Position(epoch: Self.epoch, rev: 40))
        #expect(Self.text(receiver.poll()) == ["pull 40"])
        _ = receiver.page(changes: [], through: 40, run: Self.run)
        #expect(receiver.position.run == Self.run)
    }

    @Test("resumes from a position: reads the log up to the beacon, then the changes buffered meanwhile")
    func resumes() {
        var receiver = Receiver(from: Position(epoch: Self.epoch, rev: 10))
        #expect(Self.text(receiver.beacon(Self.header(n: 3, rev: 12))) == ["pull 10"])
        #expect(Self.text(receiver.change(Self.header(n: 4, rev: 13), "live")) == [])
        #expect(!receiver.isCaughtUp)
        let page: [Receiver.Item] = [(11, "x"), (12, "y")]
        #expect(
            Self.text(receiver.page(changes: page, through: 12))
                == ["deliver 11 x", "deliver 12 y", "deliver 13 live", "reached 13"])
        #expect(receiver.isCaughtUp)
    }

    @Test("a message that is missing is noticed by the next one, and read from the log once")
    func gap() {
        var receiver = Self.current(n: 0, rev: 0)
        #expect(Self.text(receiver.change(Self.header(n: 1, rev: 1), "a")) == ["deliver 1 a"])
        #expect(Self.text(receiver.change(Self.header(n: 3, rev: 3), "c")) == ["pull 1", "gap 1"])
        #expect(Self.text(receiver.change(Self.header(n: 4, rev: 4), "d")) == [])
        let page: [Receiver.Item] = [(2, "b"), (3, "c"), (4, "d")]
        #expect(
            Self.text(receiver.page(changes: page, through: 4))
                == ["deliver 2 b", "deliver 3 c", "deliver 4 d", "reached 4", "resumed 4 replayed 3"])
        #expect(receiver.counters.gaps == 1)
    }

    @Test("the last message missing is noticed by the beacon")
    func lostTail() {
        var receiver = Self.current(n: 0, rev: 0)
        #expect(Self.text(receiver.beacon(Self.header(n: 1, rev: 1))) == ["pull 0", "gap 0"])
        #expect(
            Self.text(receiver.page(changes: [(1, "a")], through: 1))
                == ["deliver 1 a", "reached 1", "resumed 1 replayed 1"])
    }

    @Test("after a restart of the publisher the log is asked even if nothing seems missing")
    func newRun() {
        var receiver = Self.current(n: 5, rev: 9)
        #expect(Self.text(receiver.beacon(Self.header(n: 0, rev: 9, run: Self.nextRun))) == ["pull 9", "gap 9"])
        #expect(
            Self.text(receiver.page(changes: [], through: 9)) == ["reached 9", "resumed 9 replayed 0"])
        #expect(receiver.counters.runs == 1)
    }

    @Test("silence is reported once, the log is read meanwhile, and the missed changes are counted at the end")
    func silence() {
        var receiver = Self.current(n: 0, rev: 0)
        #expect(Self.text(receiver.silence()) == ["lost", "pull 0"])
        #expect(Self.text(receiver.page(changes: [(1, "a")], through: 1)) == ["deliver 1 a", "reached 1"])
        #expect(Self.text(receiver.silence()) == ["pull 1"])
        receiver.pullFailed()
        #expect(Self.text(receiver.beacon(Self.header(n: 2, rev: 2))) == ["pull 1"])
        #expect(
            Self.text(receiver.page(changes: [(2, "b")], through: 2))
                == ["deliver 2 b", "reached 2", "resumed 2 replayed 2"])
    }

    @Test("another epoch ends it")
    func epochChanges() {
        var receiver = Receiver(from: Position(epoch: Self.epoch, rev: 3))
        let other = Self.header(n: 1, rev: 4, epoch: UUIDv7(high: 9, low: 9))
        #expect(Self.text(receiver.beacon(other)) == ["epoch"])
        #expect(Self.text(receiver.change(Self.header(n: 1, rev: 4), "a")) == [])
    }

    @Test("held changes are delivered later, from the log if the buffer was full")
    func holds() {
        var receiver = Self.current(n: 0, rev: 0, chainLimit: 2)
        receiver.hold()
        for n in 1...3 {
            #expect(Self.text(receiver.change(Self.header(n: UInt64(n), rev: UInt64(n)), "\(n)")) == [])
        }
        #expect(receiver.counters.overflows == 1)
        #expect(Self.text(receiver.release()) == ["pull 0"])
        #expect(
            Self.text(receiver.page(changes: [(1, "1"), (2, "2"), (3, "3")], through: 3))
                == ["deliver 1 1", "deliver 2 2", "deliver 3 3", "reached 3"])
    }

    @Test("the buffer is bounded in bytes too")
    func bytes() {
        var receiver = Receiver(from: Position(epoch: Self.epoch, rev: 0), chainByteLimit: 100)
        #expect(Self.text(receiver.beacon(Self.header(n: 0, rev: 0))) == ["pull 0"])
        _ = receiver.change(Self.header(n: 1, rev: 1), "1", bytes: 60)
        #expect(receiver.counters.overflows == 0)
        _ = receiver.change(Self.header(n: 2, rev: 2), "2", bytes: 60)
        #expect(receiver.counters.overflows == 1)
        #expect(
            Self.text(receiver.page(changes: [(1, "1"), (2, "2")], through: 2))
                == ["deliver 1 1", "deliver 2 2", "reached 2"])
    }

    @Test("a failed pull is retried, with one pull at a time")
    func retries() {
        var receiver = Receiver(from: Position(epoch: Self.epoch, rev: 0))
        #expect(Self.text(receiver.poll()) == ["pull 0"])
        #expect(Self.text(receiver.beacon(Self.header(n: 2, rev: 2))) == [])
        receiver.pullFailed()
        #expect(Self.text(receiver.retry()) == ["pull 0"])
        #expect(Self.text(receiver.retry()) == [])
    }
}
