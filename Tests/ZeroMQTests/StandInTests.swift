// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestTurns
import Testing

@testable import ZeroMQ

@Suite("A thread that stands in for a waiting loop", .inShortTurn)
struct StandInTests {
    @Test("runs the closure at once, isolated to the loop's actors, from inside and outside of a task")
    func atOnce() async throws {
        try await withLoop { loop in
            let peer = Peer(loop)
            standIn(loop) {
                #expect(loop.isCurrent)
                let isOn = peer.assumeIsolated { $0.isOnLoop() }
                #expect(isOn)
            }
            #expect(!loop.isCurrent)
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                _ = startDetachedThread("outside") {
                    standIn(loop) {
                        let isOn = peer.assumeIsolated { $0.isOnLoop() }
                        #expect(isOn)
                    }
                    continuation.resume()
                }
            }
        }
    }

    @Test("waits for its turn, behind what is queued")
    func order() async throws {
        try await withLoop { loop in
            let (blocked, block) = (Locked(()), Locked([Int]()))
            standIn(loop) { loop.submit { block.withLock { $0.append(1) } } }
            blocked.withLock { _ in
                loop.submit { blocked.withLock { _ in block.withLock { $0.append(2) } } }
                loop.perform { block.withLock { $0.append(3) } }
            }
            await loop.stop()
            #expect(block.withLock { $0 } == [1, 2, 3])
        }
    }

    @Test("sets timers that the loop did not wait for")
    func timer() async throws {
        try await withLoop { loop in
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                standIn(loop) { loop.schedule(after: .milliseconds(1)) { continuation.resume() } }
            }
        }
    }

    /// Using a socket clears its descriptor, for which the loop waits.
    @Test("leaves the messages that it does not take to the loop")
    func leftOver() async throws {
        let context = try Context()
        try await withLoop { loop in
            let (sink, source, endpoint) = (OneByOne(loop), Peer(loop), Transport.inproc.endpoint())
            try await sink.open(context, endpoint)
            try await source.open(.push, context)
            try await source.connect(endpoint)
            let all = await withCheckedContinuation { continuation in
                standIn(loop) {
                    sink.assumeIsolated { sink in
                        sink.tell(continuation, of: 2)
                        do {
                            try sink.takeOne {
                                try source.assumeIsolated { source in
                                    try source.send([[1]])
                                    try source.send([[2]])
                                }
                            }
                        } catch {
                            Issue.record(error)
                        }
                    }
                }
            }
            #expect(all == [[1], [2]])
        }
    }

    /// Runs `body` as soon as the loop waits.
    private func standIn(_ loop: EventLoop, _ body: () -> Void) {
        while !loop.standIn(body) { sched_yield() }
    }
}
