// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TestTurns
import Testing
import ZeroMQ

@testable import LoadTest

@Suite("The receivers of a bus", .serialized, .inTurn)
struct BusReceiverTests {
    private static func number(_ message: borrowing Message) -> UInt64 {
        message.withUnsafeBytes(at: message.count - 1) { Payload.read($0)?.number ?? 0 }
    }

    private func shape(_ rate: Double, seconds: Double, warmUp: Double = 0) -> LoadShape {
        LoadShape(loop: .open(.rate(rate), arrival: .constant), end: .duration(seconds: seconds), warmUp: warmUp)
    }

    @Test("through an XPUB/XSUB proxy over IPv6 that drops messages: each receiver's loss is the proxy's record of it")
    func topics() async throws {
        let plan = TopicPlan(topics: 10, bytes: 6, subscribed: 4)
        let sizes = MessageSizes.lognormal(median: 200, factor: 2)
        let dropped = Mutex<[UInt64]>([])
        let wrong = Mutex(0)
        var options = SocketOptions()
        (options.ipv6, options.sendHighWaterMark, options.receiveHighWaterMark) = (true, 0, 0)
        try await withPeer(
            [.xsub, .xpub], at: "tcp://[::1]:*", options,
            handle: { message, place in
                // Subscriptions go the other way.
                guard place == 0 else { return 0 }
                let number = Self.number(message)
                guard number > 0 else { return 1 }
                let size = sizes.size(of: number, seed: 1, least: 24)
                let isRight =
                    message.count == 4 && message.bytes(at: 0) == plan.names[plan.topic(of: number)]
                    && (1...3).allSatisfy { message.byteCount(at: $0) == size }
                if !isRight { wrong.withLock { $0 += 1 } }
                guard number % 7 == 3 else { return 1 }
                dropped.withLock { $0.append(number) }
                return nil
            }
        ) { endpoints in
            var test = BusStreamTest(.pub, receivers: 3)
            test.target = BusTarget(endpoint: endpoints[0], receive: endpoints[1])
            (test.topics, test.message, test.patience) = (plan, BusMessage(sizes, frames: 3), 60_000_000_000)
            let figures = try await test.run(shape(1_000, seconds: 0.5, warmUp: 0.1), LoadWatch()).figures
            let receivers = try #require(figures.receivers)
            let lost = dropped.withLock { $0 }
            let truth = (0..<3).map { receiver in
                UInt64(lost.count { plan.ordinal(of: $0, for: receiver) != nil })
            }
            #expect(receivers.map(\.lost) == truth && truth.allSatisfy { $0 > 10 })
            #expect(figures.lost == truth.reduce(0, +) && figures.reorders == 0 && figures.repeats == 0)
            #expect(receivers.allSatisfy { $0.missed == 0 && $0.received > 100 })
            // Each of the three receives four tenths of the messages.
            #expect(abs((figures.intendedRate ?? 0) - 1_200) < 20)
            #expect(wrong.withLock { $0 } == 0)
        }
    }

    @Test("a slow receiver loses messages, and the counts of each add up to all that was sent")
    func slow() async throws {
        var test = BusStreamTest(.pub, size: 16_384, receivers: 2)
        (test.slow, test.openHighWaterMark) = (.init(count: 1, share: 0.1), 50)
        let figures = try await test.run(shape(2_000, seconds: 1), LoadWatch()).figures
        let receivers = try #require(figures.receivers)
        #expect(receivers.map(\.name) == ["receiver 1 (slow)", "receiver 2"])
        // The kernel's buffers hold some hundreds of these messages.
        #expect(receivers[0].lost > 200 && receivers[0].lost > receivers[1].lost)
        #expect(receivers.allSatisfy { 2 * ($0.received + $0.lost) == figures.sent })
        #expect(figures.lost == receivers[0].lost + receivers[1].lost)
    }

    @Test("a receiver that comes after the end never joined, and has lost nothing")
    func tooLate() async throws {
        var test = BusStreamTest(.pub, receivers: 2)
        test.joinAt = 60
        let figures = try await test.run(shape(1_000, seconds: 0.3), LoadWatch()).figures
        let receivers = try #require(figures.receivers)
        #expect(receivers.map(\.name) == ["receiver 1", "receiver 2 (never joined)"])
        #expect(
            figures.lost == 0 && receivers.map(\.lost) == [0, 0] && receivers.map(\.received) == [figures.done, 0])
        #expect(receivers[1].missed == receivers[0].received)
    }

    @Test("topics whose greetings do not fit into the queue end with the option to change")
    func crowded() async throws {
        var test = BusStreamTest(.pub)
        (test.topics, test.openHighWaterMark) = (TopicPlan(topics: 20_000, bytes: 8, subscribed: 10_000), 1)
        test.patience = 500_000_000
        await #expect(throws: BusStreamError.noWay(500_000_000, isCrowded: true)) {
            try await test.run(shape(1_000, seconds: 0.3), LoadWatch())
        }
        #expect("\(BusStreamError.noWay(1, isCrowded: true))".contains("--hwm"))
        #expect(!"\(BusStreamError.noWay(1, isCrowded: false))".contains("--hwm"))
    }

    @Test("a late receiver misses the messages before it joined, which are not lost")
    func late() async throws {
        var test = BusStreamTest(.pub, receivers: 2)
        test.joinAt = 0.3
        let figures = try await test.run(shape(1_000, seconds: 2), LoadWatch()).figures
        let receivers = try #require(figures.receivers)
        try #require(receivers.count == 2)
        let (early, late) = (receivers[0], receivers[1])
        #expect(late.name == "receiver 2 (late)" && late.missed > 0 && late.received > 0)
        #expect(early.lost == 0 && late.lost == 0 && early.missed == 0)
        #expect(late.missed + late.received == early.received)
        #expect(figures.sent == early.received + late.received && figures.done == figures.sent)
    }
}
