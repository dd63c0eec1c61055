// SPDX-License-Identifier: Apache-2.0

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

@Suite("Requests without an answer", .serialized, .inTurn)
struct UnansweredRequestTests {
    @Test("a run that is asked to stop does not wait for a long timeout")
    func stopped() async throws {
        let stop = LoadStop()
        let result = try await LoadThread.run {
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
        let result = try await LoadThread.run {
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

    @Test("what is never answered has failed, and is not waited for without an end")
    func unanswered() async throws {
        let context = try Context()
        let outcome = try await LoadThread.run {
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
        let outcome = try await LoadThread.run {
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
        let outcome = try await LoadThread.run {
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
        async let serving: Void = LoadThread.run {
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
        let outcome = try await LoadThread.run {
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
}
