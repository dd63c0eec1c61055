// SPDX-License-Identifier: Apache-2.0

import Dispatch
import ServiceLifecycle
import Settings
import TestSupport
import TestTurns
import Testing
import ZeroMQ

@testable import Monitoring
@testable import ServiceHost

@Suite("The beginning and the end of a hosted server", .inShortTurn)
struct StartupTests {
    /// A server whose start takes as long as the test wants, and meanwhile nothing else is done on it.
    private actor Slow: MonitoredServer {
        // It keeps its thread, so that is one of its own.
        private let loop = EventLoop.forTest("slow")
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
        let begun = AsyncStream.makeStream(of: Void.self)
        let mayStart = DispatchSemaphore(value: 0)
        let wasCancelled = Locked<Bool?>(nil)
        let waitsFor = Locked<String?>(nil)
        nonisolated var startProblem: String? { waitsFor.withLock { $0 } }

        func start() {
            begun.continuation.finish()
            mayStart.wait()
        }

        func stop() async { wasCancelled.withLock { $0 = Task.isCancelled } }
        func end() async { await loop.stop() }
        func health() -> HealthReport { HealthReport() }
        func turn() {}
        func metrics() -> [MetricFamily]? { [] }
    }

    @Test("while it starts it is alive and not ready; a group that fails stops it in good order")
    func slowStart() async throws {
        let (server, startup) = (Slow(), Startup())
        let pages = MonitoringPages(server, service: "slow", after: startup, patience: .seconds(60))
        let run = Task { try await ServerRunner(server, startup).run() }
        for await _ in server.begun.stream {}
        #expect(await pages.live().isGood)
        let early = await pages.ready()
        #expect(!early.isGood && early.text == "The service is starting.\n")
        server.waitsFor.withLock { $0 = "It waits for somebody." }
        let waiting = await pages.ready()
        #expect(!waiting.isGood && waiting.text == "It waits for somebody.\n")
        server.mayStart.signal()
        try await until { await pages.ready().isGood }
        run.cancel()
        try await run.value
        #expect(server.wasCancelled.withLock { $0 } == false)
        await server.end()
    }

    @Test("one that gives up waiting leaves another waiting")
    func waiters() async {
        let startup = Startup()
        let patient = Task {
            await startup.wait()
            return startup.isOver
        }
        let hasty = Task { await startup.wait() }
        hasty.cancel()
        await hasty.value
        startup.end()
        #expect(await patient.value)
    }
}
