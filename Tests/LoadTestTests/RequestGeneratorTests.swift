// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestTurns
import Testing
import ZeroMQ

@testable import LoadTest

/// Asks the run to stop at the 100th request, and answers all of them 2 s later. On one thread only.
private final class LatePort: RequestPort {
    private let stop: LoadStop
    private var sent: [UInt64] = []
    private var stopped = UInt64.max

    init(_ stop: LoadStop) { self.stop = stop }

    func send(_ number: UInt64, intended: UInt64) throws(ZeroMQError) -> Bool {
        sent.append(number)
        if number == 100 {
            stop.ask()
            stopped = NanoClock.now
        }
        return true
    }

    func receive() throws(ZeroMQError) -> RequestAnswer? {
        guard NanoClock.now > stopped, NanoClock.now - stopped > 2_000_000_000 else { return nil }
        return sent.popLast().map { RequestAnswer(number: $0, bytes: 1) }
    }

    func join(_ poller: inout Poller) {}
}

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

    @Test("a run that is asked to stop does not wait for a long timeout")
    func stopped() async throws {
        let stop = LoadStop()
        let result = try await onThread {
            let port = InstantPort {
                // Nobody answers, and the run is asked to stop as soon as the first request is under way.
                if $0 == 1 { stop.ask() }
                return false
            }
            let generator = RequestGenerator(watch: LoadWatch(stop: stop), timeout: 60_000_000_000)
            return try generator.run([port], LoadShape(loop: .closed(window: 3), warmUp: 0))
        }
        #expect(result.tally.errors == ["timed_out": result.tally.sent] && result.tally.sent > 0)
        #expect(result.figures.seconds < 40)
    }

    @Test("a part of a profile that was stopped lasts as long as something was sent in it")
    func stoppedPart() async throws {
        let stop = LoadStop()
        let result = try await onThread {
            let shape = LoadShape(
                loop: .open(.profile(try LoadProfile("30s@500")), arrival: .constant), end: .duration(seconds: 30),
                warmUp: 0)
            return try RequestGenerator(watch: LoadWatch(stop: stop)).run([LatePort(stop)], shape)
        }
        let part = try #require(result.parts.first).figures
        #expect(result.figures.done == result.figures.sent && part.sent == result.figures.sent)
        // 100 requests take 0.2 s, and the answers come 2 s later.
        #expect(result.figures.seconds > 2 && part.seconds < 2)
        #expect(abs((part.intendedRate ?? 0) - 500) < 1)
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

    @Test("what is never answered has failed, and is not waited for without an end")
    func unanswered() async throws {
        let context = try Context()
        let outcome = try await onThread {
            let port = try BusRequestPort(
                context, endpoint: "tcp://127.0.0.1:1", message: BusMessage(.fixed(16)), envelope: .echo)
            var generator = RequestGenerator()
            generator.timeout = 100_000_000
            return try generator.run([port], LoadShape(loop: .closed(window: 4), end: .count(8), warmUp: 0))
        }
        #expect(outcome.tally.errors["timed_out"] == 8 && outcome.tally.done == 0)
    }

    @Test("one that is never answered does not keep the others from being asked", arguments: [true, false])
    func slow(isClosed: Bool) async throws {
        let outcome = try await onThread {
            var generator = RequestGenerator()
            // More than are sent at once to catch up, on a machine that has stopped for a moment.
            (generator.timeout, generator.mostUnderWay) = (800_000_000, 128)
            return try generator.run(
                [InstantPort { $0 != 3 }],
                LoadShape(
                    loop: isClosed ? .closed(window: 2) : .open(.rate(5_000), arrival: .constant),
                    end: .duration(seconds: 0.5), warmUp: 0))
        }
        #expect(outcome.tally.errors == ["timed_out": 1] && outcome.tally.skipped == 0)
        #expect(outcome.tally.done > 20)
    }

    @Test("what is never answered belongs to its part of a mixed load")
    func unansweredPart() async throws {
        let outcome = try await onThread {
            let port = InstantPort { $0 % 10 != 5 }
            // 5, 15, 25, … are of the second part, as all odd ones are.
            port.partOf = { Int($0 % 2) }
            var generator = RequestGenerator()
            (generator.timeout, generator.parts) = (50_000_000, ["even", "odd"])
            return try generator.run([port], LoadShape(loop: .closed(window: 2), end: .count(40), warmUp: 0))
        }
        #expect(outcome.tally.errors == ["timed_out": 4] && outcome.tally.done == 36)
        let (even, odd) = (outcome.parts[0].tally, outcome.parts[1].tally)
        #expect(even.errors.isEmpty && even.done == 20 && even.sent == 20)
        #expect(odd.errors == ["timed_out": 4])
        #expect(odd.done == 16 && odd.sent == 20)
    }

    @Test("an answer that a service loses is one that failed, and the others are still told apart")
    func lostAnswer() async throws {
        let context = try Context()
        let endpoint = Mutex("")
        let isOver = Mutex(false)
        // It answers with a word, as REP would: behind the envelope that came.
        async let serving: Void = onThread {
            let socket = try Socket(.router, context: context)
            let bound = try socket.bind("tcp://127.0.0.1:*")
            endpoint.withLock { $0 = bound }
            var poller = Poller()
            var message = Message()
            var count = 0
            poller.add(socket)
            while !isOver.withLock({ $0 }) {
                _ = try poller.wait(.milliseconds(10))
                while try socket.receive(into: &message) {
                    count += 1
                    guard count != 3 else { continue }
                    var answer = Message()
                    for frame in 0..<message.count - 1 { answer.append(message.take(at: frame)) }
                    answer.append(Array("yes".utf8))
                    _ = try socket.send(&answer)
                }
            }
        }
        try await until { endpoint.withLock { !$0.isEmpty } }
        let outcome = try await onThread {
            let port = try BusRequestPort(
                context, endpoint: endpoint.withLock { $0 }, message: BusMessage(.fixed(32)), envelope: .numbered)
            var generator = RequestGenerator()
            // Only the third is to fail, so the others have time.
            generator.timeout = 8_000_000_000
            return try generator.run([port], LoadShape(loop: .closed(window: 1), end: .count(20), warmUp: 0))
        }
        isOver.withLock { $0 = true }
        try await serving
        #expect(outcome.tally.errors == ["timed_out": 1])
        #expect(outcome.tally.done == 19 && outcome.tally.bytes == 19 * 3)
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
        let server = try BareEchoServer(requestBytes: 64, answerBytes: 3_000)
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
