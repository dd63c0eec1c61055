// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestTurns
import Testing
import ZeroMQ

@testable import LoadTest

@Suite("Load one way", .serialized, .inTurn)
struct StreamTests {
    private static let tag: UInt64 = 0xfeed_5eed_0123_4567

    private struct Received: Sendable {
        var tally: Tally
        var ledger: SequenceLedger
        var foreign: UInt64
    }

    /// Lets `send` fill a PUSH socket from one thread, and takes what comes in another.
    private func stream(
        size: Int = 24, _ send: @escaping @Sendable (BusSender) throws -> Void
    ) async throws -> Received {
        let context = try Context()
        let endpoint = Mutex("")
        let isOver = Mutex(false)
        async let received = onThread { () throws -> Received in
            let socket = try Socket(.pull, context: context)
            let bound = try socket.bind("tcp://127.0.0.1:*")
            endpoint.withLock { $0 = bound }
            let receiver = try StreamReceiver<BusIntake>()
            receiver.begin(LoadShape(loop: .closed(window: 1), warmUp: 0), from: 0)
            try receiver.add(BusIntake(socket, tag: Self.tag))
            // What was sent may be under way for some time on a busy machine.
            try receiver.run(quiet: 4_000_000_000) { isOver.withLock { $0 } }
            let arrivals = receiver.arrivals
            return Received(
                tally: arrivals.received.tally, ledger: arrivals.ledgers[0], foreign: arrivals.foreign)
        }
        try await until { endpoint.withLock { !$0.isEmpty } }
        try await onThread {
            var options = SocketOptions.client
            options.linger = .seconds(60)
            let socket = try Socket(.push, context: context, options: options)
            try socket.connect(endpoint.withLock { $0 })
            try send(BusSender(socket, size: size, tag: Self.tag))
        }
        isOver.withLock { $0 = true }
        return try await received
    }

    /// Waits while the queue is full.
    private static func send(_ message: inout Message, _ sender: BusSender) throws {
        while try sender.socket.send(&message) == .wouldBlock { NanoClock.sleep(1_000_000) }
    }

    private func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }

    @Test("a push socket loses nothing, and the rate is kept")
    func push() async throws {
        let outcome = Mutex<StreamGenerator.Outcome?>(nil)
        let received = try await stream(size: 100) { sender in
            let shape = LoadShape(
                loop: .open(.rate(1_000), arrival: .constant), end: .duration(seconds: 1), warmUp: 0.2)
            var generator = StreamGenerator()
            generator.patience = 60_000_000_000
            let done = try generator.run(sender, shape)
            outcome.withLock { $0 = done }
        }
        let sent = try #require(outcome.withLock { $0 })
        let warm = sent.last - sent.result.tally.sent
        #expect(abs(Double(sent.last) - 1_200) < 12 && abs(Double(warm) - 200) < 12)
        #expect(received.ledger.lost(of: sent.last) == 0)
        #expect(received.ledger.repeats == 0 && received.ledger.reorders == 0)
        #expect(received.tally.done == sent.last && received.tally.bytes == sent.last * 100)
    }

    @Test("as many as are asked for, as fast as they go")
    func counted() async throws {
        let received = try await stream { sender in
            var generator = StreamGenerator()
            generator.patience = 60_000_000_000
            _ = try generator.run(sender, LoadShape(loop: .closed(window: 1), end: .count(50_000), warmUp: 0))
        }
        #expect(received.tally.done == 50_000 && received.ledger.lost(of: 50_000) == 0)
    }

    @Test("what an injector loses, repeats and puts out of order is counted exactly")
    func injected() async throws {
        var numbers = Array(UInt64(1)...10_000)
        // 100 are lost, 50 come twice, and some change places with the one after them.
        let lost = Set((0..<100).map { UInt64($0 * 100 + 7) })
        numbers.removeAll { lost.contains($0) }
        for place in (0..<50).map({ 9_000 - $0 * 150 }) { numbers.insert(numbers[place], at: place + 1) }
        var swaps: UInt64 = 0
        for place in stride(from: 0, to: 600, by: 20) where numbers[place] + 1 == numbers[place + 1] {
            numbers.swapAt(place, place + 1)
            swaps += 1
        }
        #expect(swaps > 20)
        let received = try await stream { [numbers] sender in
            var random = SeededGenerator(seed: 9)
            var payload = Payload.make(64)
            var message = Message()
            for number in numbers {
                Payload.write(number, NanoClock.now, tag: Self.tag, into: &payload)
                message.append(payload)
                try Self.send(&message, sender)
                if random.next() % 500 == 0 { NanoClock.sleep(1_000) }
            }
            // What others send: too short, of another run, and of a number that no run comes to.
            message.append([1, 2, 3])
            try Self.send(&message, sender)
            for (number, tag) in [(10_001, 7), (UInt64.max, Self.tag)] as [(UInt64, UInt64)] {
                Payload.write(number, NanoClock.now, tag: tag, into: &payload)
                message.append(payload)
                try Self.send(&message, sender)
            }
        }
        #expect(received.ledger.lost(of: 10_000) == 100)
        #expect(received.ledger.repeats == 50)
        #expect(received.ledger.reorders == swaps)
        #expect(received.tally.done == 9_900 && received.foreign == 3)
    }
}
