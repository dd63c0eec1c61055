// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing
import WaymarkProtocol

@testable import Hooks

/// How a hook's changes are delivered, in simulated time.
@Suite(.inShortTurn)
struct HookRunnerTests {
    private static func id(_ rev: Int) -> String { "\(SimulatedHook.epoch)-\(rev)" }

    @Test("each change is sent once and in order, and the position follows")
    func inOrder() async {
        let hook = SimulatedHook(changes: 200) { _, _ in .taken }
        await hook.run()
        hook.state.withLock { state in
            #expect(state.taken == (1...200).map(Self.id))
            #expect(state.hook.position.rev == 200)
            #expect(state.delivered == 200 && state.failures == 0)
        }
    }

    @Test("a batch has as many changes as there are, up to its size")
    func batches() async {
        let hook = SimulatedHook(changes: 250, batch: 100) { _, _ in .taken }
        await hook.run()
        hook.state.withLock { state in
            #expect(state.taken == [Self.id(1) + "-100", Self.id(101) + "-200", Self.id(201) + "-250"])
            #expect(state.delivered == 250)
        }
    }

    @Test("a change that fails blocks those after it, with pauses that double up to an hour")
    func blocks() async {
        let hook = SimulatedHook(changes: 3) { message, now in
            message.id == Self.id(2) && now < .seconds(6 * 3_600) ? .failed("no") : .taken
        }
        await hook.run()
        hook.state.withLock { state in
            #expect(state.taken == (1...3).map(Self.id))
            let pauses = zip(state.tries.dropFirst(2), state.tries.dropFirst(1)).map { $0 - $1 }
            #expect(Array(pauses.prefix(4)) == [.milliseconds(750), .milliseconds(1_500), .seconds(3), .seconds(6)])
            #expect(pauses.max() == .seconds(2_700))
            #expect(state.failures == UInt64(state.tries.count - 3))
        }
    }

    @Test("in ten days without a receiver one message a day is put aside, and the others come when it is back")
    func tenDays() async {
        let hook = SimulatedHook(changes: 40) { _, now in
            now < .seconds(10 * 86_400) ? .failed("away") : .taken
        }
        await hook.run()
        hook.state.withLock { state in
            #expect((9...10).contains(state.kept.count))
            #expect(state.kept.map(\.message) + state.taken == (1...40).map(Self.id))
            #expect(state.kept.allSatisfy { !$0.body.isEmpty && $0.reason == "away" })
            #expect(state.hook.position.rev == 40)
            #expect(state.delivered == UInt64(state.taken.count))
            #expect(state.tries.count < 500)
        }
    }

    @Test("when there is no room for another message, nothing after it is sent")
    func noRoom() async {
        let hook = SimulatedHook(changes: 5, keeps: 2) { message, _ in
            message.id == Self.id(4) || message.id == Self.id(5) ? .taken : .failed("away")
        }
        await hook.run()
        hook.state.withLock { state in
            #expect(state.isStopped)
            #expect(state.kept.map(\.message) == [Self.id(1), Self.id(2)])
            #expect(state.taken.isEmpty)
            #expect(state.hook.position.rev == 2)
        }
    }

    @Test("a message that is sent again waits for the log, and is given up only if the log does not have it")
    func again() async {
        let hook = SimulatedHook(changes: 3, unread: .zero ..< .seconds(90)) { _, _ in .taken }
        await hook.run(again: .with { ($0.number, $0.rev, $0.due) = (9, 2, true) })
        await hook.run(again: .with { ($0.number, $0.rev, $0.due) = (10, 4, true) })
        hook.state.withLock { state in
            #expect(state.taken == [Self.id(2)])
            #expect(state.redelivered == [9] && state.refused.map(\.number) == [10])
            #expect(state.now >= .seconds(90))
        }
    }

    @Test("410 ends the hook at once")
    func gone() async {
        let hook = SimulatedHook(changes: 3) { message, _ in message.id == Self.id(2) ? .gone("410") : .taken }
        await hook.run()
        hook.state.withLock { state in
            #expect(state.isStopped)
            #expect(state.taken == [Self.id(1)])
            #expect(state.tries.count == 2)
            #expect(state.hook.position.rev == 1)
        }
    }

    @Test("four seconds after the last turn that storage answered nothing is sent any more")
    func withoutStorage() async {
        let lost = Duration.seconds(1)..<Duration.seconds(30)
        let hook = SimulatedHook(changes: 3, lost: lost) { message, now in
            message.id == Self.id(2) && now < .seconds(40) ? .failed("no") : .taken
        }
        await hook.run()
        hook.state.withLock { state in
            #expect(state.taken == (1...3).map(Self.id))
            // The last turn before the loss was at 0.75 s.
            #expect(state.tries.contains { $0 > .seconds(1) && $0 < .milliseconds(4_750) })
            #expect(!state.tries.contains { $0 >= .milliseconds(4_750) && $0 < .seconds(30) })
            #expect(state.failures == UInt64(state.tries.count - 3))
        }
    }
}
