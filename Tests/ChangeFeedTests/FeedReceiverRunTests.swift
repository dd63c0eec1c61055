// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Landmarks
import TestTurns
import Testing
import WaymarkProtocol

@Suite("A feed and a log in different runs", .computing)
struct FeedReceiverRunTests {
    private typealias Receiver = FeedReceiver<String>

    private static func header(n: UInt64, rev: UInt64, run: UUIDv7) -> FeedHeader {
        FeedReceiverTests.header(n: n, rev: rev, run: run)
    }

    private static func text(_ actions: [Receiver.Action]) -> [String] { FeedReceiverTests.text(actions) }

    /// A receiver that was caught up at revision 9, and hears a publisher that has gone on in another run.
    private static func overtaken() -> Receiver {
        let (run, next) = (FeedReceiverTests.run, FeedReceiverTests.nextRun)
        var receiver = Receiver(from: Position(epoch: FeedReceiverTests.epoch, rev: 9))
        #expect(text(receiver.beacon(header(n: 5, rev: 9, run: run))) == ["pull 9"])
        #expect(text(receiver.page(changes: [], through: 9, run: run)) == ["reached 9"])
        #expect(text(receiver.beacon(header(n: 70, rev: 9, run: next))) == ["pull 9", "gap 9"])
        // Whoever is asked has not noticed the restart yet.
        #expect(text(receiver.page(changes: [], through: 9, run: run)) == [])
        return receiver
    }

    @Test("while the log is answered in the run before, live changes ask for nothing, and wait for its next run")
    func behind() {
        let (run, next) = (FeedReceiverTests.run, FeedReceiverTests.nextRun)
        var receiver = Self.overtaken()
        for n in 71...80 as ClosedRange<UInt64> {
            #expect(Self.text(receiver.change(Self.header(n: n, rev: n - 61, run: next), "\(n)")) == [])
        }
        #expect(!receiver.isCaughtUp && !receiver.isPulling)
        #expect(Self.text(receiver.retry()) == ["pull 9"])
        #expect(Self.text(receiver.page(changes: [], through: 9, run: run)) == [])
        #expect(Self.text(receiver.retry()) == ["pull 9"])
        #expect(
            Self.text(receiver.page(changes: [(10, "71")], through: 10, run: next))
                == ["deliver 10 71"] + (11...19).map { "deliver \($0) \($0 + 61)" }
                + ["reached 19", "resumed 19 replayed 1"])
    }

    @Test("live changes of a run that the log has left behind are never handed on")
    func ahead() {
        let next = FeedReceiverTests.nextRun
        var receiver = Self.overtaken()
        #expect(Self.text(receiver.change(Self.header(n: 71, rev: 10, run: next), "cut off")) == [])
        let last = UUIDv7(high: 2, low: 3)
        #expect(Self.text(receiver.retry()) == ["pull 9"])
        #expect(
            Self.text(receiver.page(changes: [(10, "other")], through: 10, run: last))
                == ["deliver 10 other", "reached 10"])
        #expect(Self.text(receiver.change(Self.header(n: 72, rev: 11, run: next), "cut off")) == [])
        #expect(Self.text(receiver.change(Self.header(n: 1, rev: 11, run: last), "new")) == ["pull 10"])
        #expect(
            Self.text(receiver.page(changes: [(11, "new")], through: 11, run: last))
                == ["deliver 11 new", "reached 11", "resumed 11 replayed 2"])
    }

    @Test("once another run answers, the chain of the run before counts no more, though none of it is missing")
    func superseded() {
        let (run, next) = (FeedReceiverTests.run, FeedReceiverTests.nextRun)
        var receiver = Receiver(from: Position(epoch: FeedReceiverTests.epoch, rev: 9))
        _ = receiver.beacon(Self.header(n: 5, rev: 9, run: run))
        _ = receiver.page(changes: [], through: 9, run: run)
        #expect(Self.text(receiver.answered(by: run)) == [])
        #expect(receiver.isCaughtUp)
        #expect(Self.text(receiver.answered(by: next)) == ["pull 9", "gap 9"])
        #expect(receiver.counters.runs == 1)
        let passes = receiver.passes(Self.header(n: 6, rev: 10, run: run))
        #expect(!passes)
        #expect(Self.text(receiver.change(Self.header(n: 6, rev: 10, run: run), "cut off")) == [])
        #expect(
            Self.text(receiver.page(changes: [(10, "other")], through: 10, run: next))
                == ["deliver 10 other", "reached 10"])
        #expect(Self.text(receiver.change(Self.header(n: 7, rev: 11, run: run), "cut off")) == [])
        #expect(Self.text(receiver.beacon(Self.header(n: 3, rev: 10, run: next))) == ["pull 10"])
        #expect(
            Self.text(receiver.page(changes: [], through: 10, run: next))
                == ["reached 10", "resumed 10 replayed 1"])
    }
}
