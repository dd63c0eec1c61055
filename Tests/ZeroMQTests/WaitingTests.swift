// SPDX-License-Identifier: Apache-2.0
import TestTurns
import Testing
import ZeroMQ

@Suite("Waiting for a condition of a loop", .inShortTurn)
struct WaitingTests {
    /// Counts, and waits for counts.
    private actor Counter {
        nonisolated let loop: EventLoop
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
        private var count = 0
        /// How often a condition was looked at.
        private(set) var looks = 0
        private(set) var waiting = 0

        init(_ loop: EventLoop) { self.loop = loop }

        func add() { count += 1 }

        func reaches(_ wanted: Int, within limit: Duration? = nil) async -> Bool {
            waiting += 1
            defer { waiting -= 1 }
            return await loop.wait(upTo: limit) {
                self.looks += 1
                return self.count >= wanted
            }
        }

        /// Waits for what is so at the end of one turn only, before the task goes on.
        func seesMoment() async -> Bool {
            await loop.wait {
                self.looks += 1
                return self.looks == 2
            }
        }

        /// Waits until so many tasks wait.
        func isAwaited(by tasks: Int) async { await loop.wait { self.waiting == tasks } }
    }

    @Test("It ends with the turn in which the condition comes true, for each who waits for it")
    func holds() async throws {
        try await withEventLoop("waiting") { loop in
            let counter = Counter(loop)
            #expect(await counter.reaches(0))
            async let one = counter.reaches(1)
            async let two = counter.reaches(2)
            await counter.isAwaited(by: 2)
            await counter.add()
            #expect(await one)
            await counter.add()
            #expect(await two)
        }
    }

    @Test("It tells that the condition has held, also where it is over by then")
    func moment() async throws {
        try await withEventLoop("waiting") { loop in
            let counter = Counter(loop)
            #expect(await counter.seesMoment())
            #expect(await counter.looks == 2)
        }
    }

    @Test("It ends without it after the limit and when the task is cancelled, and is not looked at any more")
    func ends() async throws {
        try await withEventLoop("waiting") { loop in
            let counter = Counter(loop)
            #expect(await !counter.reaches(1, within: .zero))
            let task = Task { await counter.reaches(1) }
            await counter.isAwaited(by: 1)
            task.cancel()
            #expect(await !task.value)
            let looks = await counter.looks
            for _ in 0..<10 { await counter.isAwaited(by: 0) }
            #expect(await counter.looks == looks)
        }
    }

    @Test("It ends at the loop's end")
    func stops() async throws {
        let loop = try EventLoop(name: "waiting")
        let counter = Counter(loop)
        let task = Task { await counter.reaches(1) }
        await counter.isAwaited(by: 1)
        await loop.stop()
        #expect(await !task.value)
        #expect(await !counter.reaches(1))
    }
}
