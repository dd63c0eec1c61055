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
    private var pace: ReceiverPace?
    private var begun: UInt64 = 0
    private var queue: [UInt64] = []
    private var next: UInt64 = 1
    private(set) var dropped: UInt64 = 0
    /// The number of messages that were taken, and the seconds that had passed, before sending ended.
    private(set) var taken = 0.0
    private(set) var seconds = 0.0

    init(rate: Double, last: UInt64, capacity: Int, pace: ReceiverPace?) {
        (self.rate, self.last, self.capacity, self.pace) = (rate, last, capacity, pace)
    }

    func join(_ poller: inout ReceivePoller) {}

    func begins(at time: UInt64) {
        begun = time
        pace?.begin(at: time)
    }

    func sendingEnded() {
        seconds = Double(NanoClock.now - begun) / 1e9
        pace?.end()
        pace = nil
    }

    func receive() throws(ZeroMQError) -> StreamArrival? {
        let now = NanoClock.now
        while next <= last, Double(next) <= rate * Double(now - begun) / 1e9 {
            if queue.count < capacity { queue.append(next) } else { dropped += 1 }
            next += 1
        }
        guard pace?.mayTake(at: now) ?? true, !queue.isEmpty else { return nil }
        if pace != nil { taken += 1 }
        pace?.take()
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
            let intakes = [
                QueueIntake(rate: Self.rate, last: Self.last, capacity: 50, pace: ReceiverPace(Self.share, of: shape)),
                QueueIntake(rate: Self.rate, last: Self.last, capacity: .max, pace: nil),
            ]
            let receiver = try StreamReceiver<QueueIntake>()
            let begun = NanoClock.now
            receiver.count(from: begun)
            for intake in intakes {
                try receiver.add(intake)
                intake.begins(at: begun)
            }
            try receiver.run(quiet: 200_000_000) { NanoClock.now > begun + 410_000_000 }
            return zip(receiver.ledgers, intakes).map {
                Outcome(lost: $0.lost(of: Self.last), dropped: $1.dropped, taken: $1.taken, seconds: $1.seconds)
            }
        }
        let slow = outcomes[0]
        #expect(slow.lost == slow.dropped && slow.dropped > 500 && slow.taken > 0)
        #expect(slow.taken <= Self.share * Self.rate * slow.seconds + 1)
        #expect(outcomes[1].lost == 0 && outcomes[1].dropped == 0)
    }
}
