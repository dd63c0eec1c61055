// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing
import ZeroMQ

@testable import LoadTest

/// A service that takes a millisecond for each request, one after the other, and stands still once.
private struct Service {
    static let work: UInt64 = 1_000_000
    /// The time in nanoseconds in which it begins nothing.
    static let stall: Range<UInt64> = 300_000_000..<700_000_000
    private var free: UInt64 = 0

    /// Returns when the answer to the next request is there. All times are in nanoseconds since the begin.
    mutating func answer(_ arrived: UInt64) -> UInt64 {
        var start = max(arrived, free)
        if Self.stall.contains(start) { start = Self.stall.upperBound }
        free = start + Self.work
        return free
    }
}

/// Answers at the times of a ``Service``, as if each request had arrived at its intended time. On one thread only.
private final class ServedPort: RequestPort {
    private let begun: UInt64
    private var service = Service()
    private var answers: [(number: UInt64, at: UInt64)] = []
    private var next = 0

    init(begun: UInt64) {
        self.begun = begun
    }

    func send(_ number: UInt64, intended: UInt64) throws(ZeroMQError) -> Bool {
        answers.append((number, begun + service.answer(intended - begun)))
        return true
    }

    func receive() throws(ZeroMQError) -> RequestAnswer? {
        guard next < answers.count, answers[next].at <= NanoClock.now else { return nil }
        next += 1
        return RequestAnswer(number: answers[next - 1].number, bytes: 1)
    }

    func join(_ poller: inout Poller) {}
}

@Suite("Figures beside a recorded truth", .serialized, .inTurn)
struct TruthTests {
    /// A step in which the service stands still, a ramp past its 1,000 a second, and a step in which it catches up.
    private static let text = "1s@500, 1s@500..2500, 1s@200"

    /// The latencies of the operations of each part, in nanoseconds, from a count of the rate in small steps.
    private static func truth() -> [[UInt64]] {
        var (service, due, time) = (Service(), 0.0, 0.0)
        var parts: [[UInt64]] = [[], [], []]
        let step = 1e-6
        // An operation is due whenever the sum has passed another whole number, the first at once.
        var number = 0.0
        while time < 3 {
            if due >= number - 1e-9 {
                let intended = UInt64(time * 1e9)
                parts[min(2, Int(time + 1e-7))].append(service.answer(intended) - intended)
                number += 1
            }
            let middle = time + step / 2
            due += step * (middle < 1 ? 500 : middle < 2 ? 500 + 2_000 * (middle - 1) : 200)
            time += step
        }
        return parts
    }

    @Test("a stall and a ramp past the knee: p99 of each part is within 2 % of the truth")
    func profile() async throws {
        let profile = try LoadProfile(Self.text)
        let result = try await LoadThread.run {
            let begun = NanoClock.now + 1_000_000
            // A second connection would be served by the same service.
            return try RequestGenerator().run(
                [ServedPort(begun: begun)],
                LoadShape(
                    loop: .open(.profile(profile), arrival: .constant), end: .duration(seconds: profile.seconds),
                    warmUp: 0),
                from: begun)
        }
        let truth = Self.truth().map { $0.sorted() }
        #expect(result.parts.map(\.number) == [1, 2, 3] && result.figures.failures == 0)
        for (part, latencies) in zip(result.parts, truth) {
            let figures = part.figures
            // The last one of a part may be due just before or after its end.
            #expect(abs(Int(figures.done) - latencies.count) <= 1 && figures.sent == figures.done, "\(part.name)")
            let expected = Double(latencies[(latencies.count * 99 + 99) / 100 - 1]) / 1_000
            #expect(expected > 300_000)
            #expect(abs(figures.latency.p99 / expected - 1) < 0.02, "\(part.name): \(figures.latency.p99), \(expected)")
        }
        #expect(result.figures.done == result.parts.reduce(0) { $0 + $1.figures.done })
        #expect(result.tally.seconds.count >= 3 && result.parts.allSatisfy { $0.tally.seconds.isEmpty })
    }
}
