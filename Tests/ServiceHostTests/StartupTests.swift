// SPDX-License-Identifier: Apache-2.0

import Glibc
import ServiceHost
import ServiceLifecycle
import Settings
import TestSupport
import TestTurns
import Testing
import ZeroMQ

@testable import Monitoring

@Suite("The beginning and the end of a hosted server", .inShortTurn, .timeLimit(.minutes(20)))
struct StartupTests {
    /// A server whose start takes as long as the test wants, and meanwhile nothing else is done on it.
    private actor Slow: MonitoredServer {
        struct Nothing: MetricsSource { func collect() async {} }

        // It keeps its thread, so that is one of its own.
        private let loop = EventLoop.forTest("slow")
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
        let mayStart = Locked(false)
        let wasCancelled = Locked<Bool?>(nil)
        let waitsFor = Locked<String?>(nil)
        nonisolated var startProblem: String? { waitsFor.withLock { $0 } }

        func start() {
            while !mayStart.withLock({ $0 }) { usleep(1_000) }
        }

        func stop() async { wasCancelled.withLock { $0 = Task.isCancelled } }
        func end() async { await loop.stop() }
        func health() -> HealthReport { HealthReport() }
        func turn() {}
        nonisolated func metrics(in registry: MetricsRegistry) -> any MetricsSource { Nothing() }
    }

    @Test("while it starts it is alive and not ready; a group that fails stops it in good order")
    func slowStart() async throws {
        let (server, startup) = (Slow(), Startup())
        let pages = MonitoringPages(
            Monitored(server, in: MetricsRegistry(), after: startup), registry: MetricsRegistry(),
            patience: .seconds(60))
        let run = Task { try await ServerRunner(server, startup).run() }
        try await Task.sleep(for: .milliseconds(20))
        #expect(await pages.live().isGood)
        let early = await pages.ready()
        #expect(!early.isGood && early.text == "The service is starting.\n")
        server.waitsFor.withLock { $0 = "It waits for somebody." }
        let waiting = await pages.ready()
        #expect(!waiting.isGood && waiting.text == "It waits for somebody.\n")
        server.mayStart.withLock { $0 = true }
        for _ in 0..<12_000 where await !pages.ready().isGood { try await Task.sleep(for: .milliseconds(5)) }
        #expect(await pages.ready().isGood)
        run.cancel()
        try await run.value
        #expect(server.wasCancelled.withLock { $0 } == false)
        await server.end()
    }
}
