// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing
import ZeroMQ

@testable import LoadTest

/// A receiver with a queue of its own: it drops messages that find the queue full, and knows how many.
private final class QueueIntake: StreamIntake {
    private let rate: Double
    private let last: UInt64
    private let capacity: Int
    private let begun: UInt64
    private var queue: [UInt64] = []
    private var next: UInt64 = 1
    private(set) var dropped: UInt64 = 0
    private(set) var taken = 0.0

    init(rate: Double, last: UInt64, capacity: Int, from begun: UInt64) {
        (self.rate, self.last, self.capacity, self.begun) = (rate, last, capacity, begun)
    }

    func join(_ poller: inout ReceivePoller) {}

    func receive() throws(ZeroMQError) -> StreamArrival? {
        let now = NanoClock.now
        while next <= last, Double(next) <= rate * Double(now - begun) / 1e9 {
            if queue.count < capacity { queue.append(next) } else { dropped += 1 }
            next += 1
        }
        guard !queue.isEmpty else { return nil }
        taken += 1
        return StreamArrival(number: queue.removeFirst(), intended: begun, bytes: 1)
    }
}

@Suite("Receivers that are slow on purpose", .serialized, .inTurn)
struct ReceiverPaceTests {
    private static let (rate, last, share): (Double, UInt64, Double) = (5_000, 2_000, 0.25)

    private struct Outcome: Sendable {
        var lost: UInt64
        var dropped: UInt64
        var taken: Double
        var seconds: Double
    }

    @Test("they take their share, and lose exactly the messages that their queue dropped")
    func share() async throws {
        let outcomes = try await LoadThread.run { () throws -> [Outcome] in
            let shape = LoadShape(
                loop: .open(.rate(Self.rate), arrival: .constant), end: .duration(seconds: 0.4), warmUp: 0)
            let receiver = try StreamReceiver<QueueIntake>()
            let begun = NanoClock.now
            let intakes = [50, .max].map {
                QueueIntake(rate: Self.rate, last: Self.last, capacity: $0, from: begun)
            }
            try receiver.add(intakes[0], pace: ReceiverPace(Self.share, of: shape))
            try receiver.add(intakes[1])
            receiver.begin(shape, from: begun)
            // The number of messages that were taken slowly, and the seconds that had passed, before sending ended.
            var (taken, seconds) = (0.0, 0.0)
            try receiver.run(quiet: 200_000_000) {
                let now = NanoClock.now
                guard now > begun + 410_000_000 else { return false }
                (taken, seconds) = (intakes[0].taken, Double(now - begun) / 1e9)
                return true
            }
            return zip(receiver.arrivals.ledgers, intakes).map {
                Outcome(lost: $0.lost(of: Self.last), dropped: $1.dropped, taken: taken, seconds: seconds)
            }
        }
        let slow = outcomes[0]
        #expect(slow.lost == slow.dropped && slow.dropped > 500 && slow.taken > 0)
        #expect(slow.taken <= Self.share * Self.rate * slow.seconds + 1)
        #expect(outcomes[1].lost == 0 && outcomes[1].dropped == 0)
    }
}
