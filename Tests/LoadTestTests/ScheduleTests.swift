// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import LoadTest

@Suite("When an open loop means to send", .inShortTurn)
struct ScheduleTests {
    @Test("at even intervals, without an error that gathers")
    func constant() {
        var schedule = Schedule(.rate(3), arrival: .constant, seed: 1)
        let times = (0..<10).map { _ in schedule.next() ?? 0 }
        #expect(times[0] == 0 && times[3] == 1_000_000_000 && times[9] == 3_000_000_000)
    }

    @Test("at random, with the mean and the spread of the exponential distribution, again for the same seed")
    func poisson() {
        var (one, other) = (
            Schedule(.rate(1_000), arrival: .poisson, seed: 7), Schedule(.rate(1_000), arrival: .poisson, seed: 7)
        )
        var times: [Double] = []
        for _ in 0..<50_000 {
            let time = one.next() ?? 0
            #expect(time == other.next())
            times.append(Double(time))
        }
        let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(gaps.allSatisfy { $0 >= 0 })
        let mean = gaps.reduce(0, +) / Double(gaps.count)
        let variance = gaps.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(gaps.count)
        #expect(abs(mean / 1_000_000 - 1) < 0.02)
        // Of the exponential distribution, the standard deviation is the mean.
        #expect(abs(variance.squareRoot() / mean - 1) < 0.03)
    }
}
