// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestTurns
import Testing
import ZeroMQ

@testable import LoadTest

@Suite("Load with requests", .serialized, .inTurn)
struct RequestGeneratorTests {
    /// Runs on a thread that may block.
    private func run(
        _ shape: LoadShape, stall: EchoServer.Stall? = nil, answerBytes: Int? = nil
    ) async throws -> LoadResult {
        let context = try Context()
        let server = try EchoServer(answerBytes: answerBytes, stall: stall)
        let endpoint = try await server.start(context)
        let outcome = try await onThread {
            let ports = try (0..<shape.clients).map { _ in
                try BusRequestPort(context, endpoint: endpoint, message: BusMessage(.fixed(64)), envelope: .echo)
            }
            var generator = RequestGenerator()
            // Longer than a busy machine stands still.
            generator.timeout = 60_000_000_000
            return try generator.run(ports, shape)
        }
        await server.stop()
        return outcome
    }

    private func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }

    @Test("a closed loop does so many operations, each once")
    func closed() async throws {
        let shape = LoadShape(loop: .closed(window: 8), clients: 3, end: .count(20_000), warmUp: 0.1)
        let outcome = try await run(shape)
        #expect(outcome.tally.sent == 20_000 && outcome.tally.done == 20_000 && outcome.tally.errors.isEmpty)
        #expect(outcome.tally.latencies.count == 20_000)
        #expect(outcome.figures.seconds > 0)
    }

    @Test("an open loop keeps its rate")
    func open() async throws {
        let shape = LoadShape(
            loop: .open(.rate(500), arrival: .poisson), end: .duration(seconds: 1), warmUp: 0.1, seed: 3)
        let figures = LoadResult(try await run(shape).tally, seconds: 1, rate: 500).figures
        // Poisson: the count itself has a standard deviation of 22.
        #expect(abs(Double(figures.done) - 500) < 120)
        #expect(figures.failures == 0)
    }

    @Test("a service that stands still for 200 ms shows in the open loop, and hardly in the closed one")
    func coordinatedOmission() async throws {
        let stall = EchoServer.Stall(after: 300, milliseconds: 200)
        let open = try await run(
            LoadShape(loop: .open(.rate(1_000), arrival: .constant), end: .duration(seconds: 1), warmUp: 0),
            stall: stall)
        let closed = try await run(
            LoadShape(loop: .closed(window: 1), end: .count(4_000), warmUp: 0), stall: stall)
        // 200 of 1,000 intended operations fell into the stall: p99.9 is near its whole length.
        #expect(Double(open.tally.latencies.at(99.9)) / 1e6 > 150)
        #expect(Double(open.tally.latencies.at(90)) / 1e6 > 50)
        // One of many thousands: the percentile does not see it, though the maximum does. Nor does it see a few stops of
        // the machine.
        #expect(closed.tally.latencies.at(99) < open.tally.latencies.at(99) / 2)
        #expect(Double(closed.tally.latencies.at(100)) / 1e6 > 150)
    }

    @Test("once as many were sent as are asked for, nothing is skipped while the last answer is awaited")
    func countAtRate() async throws {
        let outcome = try await run(
            LoadShape(loop: .open(.rate(1_000), arrival: .constant), end: .count(50), warmUp: 0),
            stall: EchoServer.Stall(after: 50, milliseconds: 200))
        #expect(outcome.tally.done == 50 && outcome.tally.sent == 50 && outcome.tally.skipped == 0)
    }

    @Test("what it takes to make a request is no latency", arguments: [true, false])
    func making(isClosed: Bool) async throws {
        let outcome = try await onThread {
            let port = InstantPort()
            port.making = 80_000_000
            return try RequestGenerator().run(
                [port],
                LoadShape(
                    // The pause leaves room for a thread that wakes up late: lateness counts as latency.
                    loop: isClosed ? .closed(window: 1) : .open(.rate(4), arrival: .constant), end: .count(12),
                    warmUp: 0))
        }
        #expect(outcome.tally.done == 12 && outcome.tally.latencies.at(50) < 40_000_000)
    }

    @Test("what nobody takes does not fill the memory", arguments: [16, 1 << 20])
    func bounded(size: Int) async throws {
        let taken = try await onThread {
            let port = try BusRequestPort(
                try Context(), endpoint: "tcp://127.0.0.1:1", message: BusMessage(.fixed(size)), envelope: .numbered)
            var taken = 0
            while taken < 20_000, try port.send(UInt64(taken + 1), intended: 1) { taken += 1 }
            return taken
        }
        #expect(taken > 10 && taken < 20_000 && taken * size < 100 << 20)
    }

    @Test("the bare bus is measured by the same generator")
    func bare() async throws {
        let server = try await BareEchoServer(requestBytes: 64, answerBytes: 3_000)
        let outcome = try await onThread { [endpoint = server.endpoint] in
            let context = try Context()
            let ports = try (0..<2).map { _ in
                try BareRequestPort(context, endpoint: endpoint, size: 64, most: 4_096)
            }
            var generator = RequestGenerator()
            generator.timeout = 60_000_000_000
            return try generator.run(
                ports, LoadShape(loop: .closed(window: 16), end: .count(5_000), warmUp: 0.05))
        }
        server.stop()
        #expect(outcome.tally.done == 5_000 && outcome.tally.bytes == 5_000 * 3_000)
    }

    @Test("the bare bus echoes all of a request, however large it is")
    func bareLarge() async throws {
        let test = BusRequestTest(size: 5 << 20, timeout: 60_000_000_000)
        let result = try await test.runBare(
            LoadShape(loop: .closed(window: 1), end: .count(2), warmUp: 0), LoadWatch())
        #expect(result.figures.done == 2 && result.figures.bytes == 2 * 5 << 20)
    }
}
