// SPDX-License-Identifier: Apache-2.0

import ServiceHost
import TestSupport
import TestTurns
import Testing
import ZeroMQ

@Suite("Waiting for a change", .inShortTurn)
struct ChangeSignalTests {
    @Test("who waits returns with the change that makes it so, and not with another one")
    func changes() async {
        let (signal, count) = (ChangeSignal(), Locked(0))
        let looks = AsyncStream.makeStream(of: Int.self)
        let waiting = Task {
            await signal.wait(atMost: .seconds(200)) {
                let now = count.withLock { $0 }
                looks.continuation.yield(now)
                return now == 2
            }
        }
        var looked = looks.stream.makeAsyncIterator()
        #expect(await looked.next() == 0)
        for number in 1...2 {
            count.withLock { $0 = number }
            signal.send()
            #expect(await looked.next() == number)
        }
        #expect(await waiting.value)
    }

    @Test("what is so already is not waited for; a limit, a cancelled task and the end are the last")
    func ends() async {
        let signal = ChangeSignal()
        #expect(await signal.wait { true })
        let begun = ContinuousClock.now
        await signal.wait(atMost: .milliseconds(50)) { false }
        #expect(ContinuousClock.now - begun >= .milliseconds(50))
        let cancelled = Task { await signal.wait(atMost: .seconds(200)) { false } }
        cancelled.cancel()
        #expect(await !cancelled.value)
        let ended = Task { await signal.wait(atMost: .seconds(200)) { false } }
        signal.end()
        #expect(await !ended.value)
        await signal.wait(atMost: .seconds(200)) { false }
        #expect(ContinuousClock.now - begun < .seconds(100))
    }

    @Test("what has become so by the end of the wait counts, although no change told it")
    func late() async {
        let (signal, isSo) = (ChangeSignal(), Locked(false))
        let looks = AsyncStream.makeStream(of: Void.self)
        let waiting = Task {
            await signal.wait(atMost: .seconds(200)) {
                looks.continuation.yield()
                return isSo.withLock { $0 }
            }
        }
        var looked = looks.stream.makeAsyncIterator()
        await looked.next()
        isSo.withLock { $0 = true }
        signal.end()
        #expect(await waiting.value)
    }
}
