// SPDX-License-Identifier: Apache-2.0
import TestTurns
import Testing

@testable import ZeroMQ

@Suite(.inShortTurn)
struct TimerTests {
    @Test("Timers fire in the order of their time, those of one time in the order in which they were scheduled")
    func order() async throws {
        try await withLoop { loop in
            let clock = Clock(loop)
            // So far apart that a pause between two lines of code does not exchange them.
            #expect(await clock.fire([1_500, 500, 1_000, 0, 500, 1_500]) == [3, 1, 4, 2, 0, 5])
        }
    }

    @Test("Not before its time")
    func notEarly() async throws {
        try await withLoop { loop in
            let clock = Clock(loop)
            let start = ContinuousClock.now
            _ = await clock.fire([25])
            #expect(ContinuousClock.now - start >= .milliseconds(25))
        }
    }

    @Test("Cancelled timers do not fire, all others do")
    func cancel() async throws {
        try await withLoop { loop in
            let clock = Clock(loop)
            var random = SystemRandomNumberGenerator()
            let delays = (0..<500).map { _ in Int.random(in: 0...20, using: &random) }
            let fired = await clock.fire(delays, cancelling: { $0.isMultiple(of: 3) })
            #expect(fired.sorted() == delays.indices.filter { !$0.isMultiple(of: 3) })
        }
    }

    @Test(
        "The queue gives out what is due by time and then by order of arrival, whatever was removed", arguments: 0..<20)
    func queue(seed: UInt64) async throws {
        try await withLoop { loop in
            var queue = TimerQueue()
            let timers = (0..<300).map { index in
                LoopTimer(deadline: Int64(UInt64(index) &* 7919 &* (seed + 1) % 40), interval: nil, loop: loop) {}
            }
            for timer in timers { queue.insert(timer) }
            var left: [LoopTimer] = []
            for (index, timer) in timers.enumerated() {
                if index % 7 == Int(seed % 7) { queue.remove(timer) } else { left.append(timer) }
            }
            left.sort { ($0.deadline, $0.order) < ($1.deadline, $1.order) }
            #expect(queue.popDue(-1) === nil)
            for timer in left { #expect(queue.popDue(40) === timer) }
            #expect(queue.isEmpty)
            for timer in timers { timer.end() }
        }
    }

    @Test("A regular timer goes on until it is cancelled, also by itself")
    func regular() async throws {
        try await withLoop { loop in
            let clock = Clock(loop)
            #expect(await clock.ticks(5) == 5)
        }
    }

    @Test("Absurd times neither trap nor fire")
    func absurd() async throws {
        try await withLoop { loop in
            let clock = Clock(loop)
            await clock.scheduleFar()
            #expect(await clock.fire([1]) == [0])
        }
    }
}

private actor Clock {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private var fired: [Int] = []
    private var count = 0
    private var regular: LoopTimer?

    init(_ loop: EventLoop) { self.loop = loop }

    isolated deinit {}

    /// Which of these timers, in milliseconds, fired, in order.
    func fire(_ delays: [Int], cancelling isCancelled: @Sendable (Int) -> Bool = { _ in false }) async -> [Int] {
        fired = []
        await withCheckedContinuation { continuation in
            let timers = delays.enumerated().map { index, delay in
                loop.schedule(after: .milliseconds(delay), for: self) { $0.fired.append(index) }
            }
            for (index, timer) in timers.enumerated() where isCancelled(index) {
                timer.cancel()
                timer.cancel()
            }
            loop.schedule(after: .milliseconds(delays.max()! + 1)) { continuation.resume() }
        }
        return fired
    }

    func ticks(_ limit: Int) async -> Int {
        count = 0
        await withCheckedContinuation { continuation in
            regular = loop.schedule(every: .milliseconds(2), for: self) { $0.tick(limit, continuation) }
        }
        // A tick too many would come before this.
        await withCheckedContinuation { continuation in
            _ = loop.schedule(after: .milliseconds(10)) { continuation.resume() }
        }
        return count
    }

    private func tick(_ limit: Int, _ continuation: CheckedContinuation<Void, Never>) {
        count += 1
        guard count == limit else { return }
        regular?.cancel()
        continuation.resume()
    }

    func scheduleFar() {
        loop.schedule(after: .seconds(Int64.max)) { Issue.record("fired") }
        loop.schedule(every: .seconds(Int64.max)) { Issue.record("fired") }
        loop.schedule(after: .seconds(Int64.min)) {}
    }
}
