// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing
import ZeroMQ

@testable import LoadTest

/// Gives what it is told to, without a socket.
private final class ScriptedIntake: StreamIntake {
    private let next: () -> StreamArrival?

    init(_ next: @escaping () -> StreamArrival?) {
        self.next = next
    }

    func receive() throws(ZeroMQError) -> StreamArrival? { next() }
    func join(_ poller: inout ReceivePoller) {}
}

@Suite("What arrives of a test one way", .serialized, .inTurn)
struct StreamReceiverTests {
    /// Of a sender that was done at once: `arrival` is asked with the nanoseconds since.
    private func receive(
        profile: LoadProfile? = nil, _ arrival: @escaping (UInt64) -> StreamArrival?
    ) async throws -> StreamArrivals {
        nonisolated(unsafe) let arrival = arrival  // Used by the one thread alone, which ends before this returns.
        return try await LoadThread.run {
            // A profile has passed when its messages arrive.
            let begun = NanoClock.now - (profile == nil ? 0 : 2_000_000_000)
            let receiver = try StreamReceiver<ScriptedIntake>()
            let loop = profile.map { LoadShape.Loop.open(.profile($0), arrival: .constant) } ?? .closed(window: 1)
            receiver.begin(LoadShape(loop: loop, warmUp: 0), from: begun)
            try receiver.add(ScriptedIntake { arrival(NanoClock.now - begun) })
            try receiver.run(quiet: 200_000_000) { true }
            return receiver.arrivals
        }
    }

    @Test("what others send, and what comes again and again, does not keep it from ending")
    func foreign() async throws {
        // For a minute, so that a failure ends too.
        let minute: UInt64 = 60_000_000_000
        let begun = NanoClock.now
        let strangers = try await receive {
            $0 < minute ? StreamArrival(number: nil, intended: 0, bytes: 1) : nil
        }
        #expect(strangers.foreign > 1_000 && strangers.received.tally.seconds.isEmpty)
        for number in [0, 1] as [UInt64] {
            let arrivals = try await receive {
                $0 < minute ? StreamArrival(number: number, intended: .max, bytes: 1) : nil
            }
            #expect(arrivals.ledgers[0].received == number)
        }
        #expect(NanoClock.now - begun < minute)
    }

    @Test("the time that counts is that of the receiver, where it is the longer one")
    func seconds() async throws {
        var number: UInt64 = 0
        let arrivals = try await receive { time in
            guard number < 10, time > 30_000_000 * (number + 1) else { return nil }
            number += 1
            return StreamArrival(number: number, intended: .max, bytes: 10)
        }
        let received = arrivals.received.figures
        #expect(received.seconds > 0.29 && received.seconds < 60 && received.done == 10)
        // It slept nearly all the while.
        #expect(received.generatorBusy < 0.7)
        let slow = arrivals.result(beside: sending(0.01, busy: 0.9), sent: 10).figures
        #expect(slow.seconds == received.seconds && slow.throughput < 35 && slow.generatorBusy == 0.9)
        #expect(arrivals.result(beside: sending(90, busy: 0), sent: 10).figures.seconds == 90)
    }

    @Test("a message counts in the part of the profile in which it was meant to be sent")
    func parts() async throws {
        var number: UInt64 = 0
        let arrivals = try await receive(profile: try LoadProfile("1s@10, 1s@20")) { time in
            guard number < 30 else { return nil }
            number += 1
            let intended = NanoClock.now - time + (number <= 10 ? 500_000_000 : 1_500_000_000)
            return StreamArrival(number: number, intended: intended, bytes: 10)
        }
        var sent = sending(2, busy: 0)
        sent.parts = [sent, sent]
        for part in 0...1 {
            (sent.parts[part].number, sent.parts[part].figures.intendedRate) = (part + 1, Double(10 * part + 10))
        }
        (sent.parts[1].figures.sent, sent.parts[1].figures.late) = (21, 4)
        let parts = arrivals.result(beside: sent, sent: 31).parts
        #expect(parts.map(\.number) == [1, 2] && parts.map(\.figures.done) == [10, 20])
        #expect(parts[1].figures.sent == 21 && parts[1].figures.late == 4)
        #expect(parts.map(\.figures.intendedRate) == [10, 20])
    }

    @Test("receivers that have no pause are the limit, and it shows")
    func busy() async throws {
        var number: UInt64 = 0
        let arrivals = try await receive { time in
            guard time < 500_000_000 else { return nil }
            number += 1
            return StreamArrival(number: number, intended: .max, bytes: 10)
        }
        #expect(arrivals.received.figures.generatorBusy > 0.9)
        let figures = arrivals.result(beside: sending(0.1, busy: 0.2), sent: arrivals.received.tally.done).figures
        #expect(figures.generatorBusy == arrivals.received.figures.generatorBusy)
    }

    /// Of a sending end that took so many seconds.
    private func sending(_ seconds: Double, busy: Double) -> LoadResult {
        var result = LoadResult(Tally(from: 0), seconds: seconds)
        result.figures.generatorBusy = busy
        return result
    }
}
