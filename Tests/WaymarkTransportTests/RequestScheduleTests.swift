// SPDX-License-Identifier: Apache-2.0

import Landmarks
import TestTurns
import Testing
import WaymarkProtocol

@testable import WaymarkTransport

@Suite("The order and the times of sent requests", .inShortTurn)
struct RequestScheduleTests {
    typealias Schedule = RequestSchedule<String>

    private static func key(_ number: UInt64) -> RequestKey {
        RequestKey(client: UUIDv7(high: 1, low: 2), sequence: number)
    }

    private static func add(_ number: UInt64, to schedule: inout Schedule, deadline: UInt64 = 60_000) -> Bool {
        schedule.add(key(number), "\(number)", bytes: 10, deadline: deadline) == .added
    }

    /// Takes the due requests, and reports each as sent.
    private static func send(_ schedule: inout Schedule, at now: UInt64) -> [String] {
        var sent: [String] = []
        while let entry = schedule.next(now) {
            schedule.sent(entry, at: now)
            sent.append(entry.request)
        }
        return sent
    }

    @Test("nothing is sent without a connection; each new one gets all waiting requests, in the order of their numbers")
    func connections() {
        var schedule = Schedule()
        for number in [3, 1, 2] as [UInt64] { #expect(Self.add(number, to: &schedule)) }
        #expect(Self.send(&schedule, at: 0).isEmpty)
        schedule.connect()
        #expect(Self.send(&schedule, at: 0) == ["1", "2", "3"])
        #expect(Self.send(&schedule, at: 1).isEmpty)
        schedule.disconnect()
        _ = schedule.look(30_000)
        #expect(Self.send(&schedule, at: 30_000).isEmpty)
        schedule.end(Self.key(2))
        schedule.connect()
        #expect(Self.send(&schedule, at: 30_000) == ["1", "3"])
        #expect(schedule[Self.key(1)]?.copies == 2 && schedule[Self.key(1)]?.copiesBefore == 1)
    }

    @Test("a request without an answer is sent again after 1 s, 2 s, 4 s, and then every 8 s")
    func pauses() {
        var schedule = Schedule()
        schedule.connect()
        #expect(Self.add(1, to: &schedule, deadline: 40_000))
        var times: [UInt64] = []
        for now in stride(from: 0, to: 40_000, by: 50) as StrideTo<UInt64> {
            #expect(schedule.look(now).isEmpty)
            if !Self.send(&schedule, at: now).isEmpty { times.append(now) }
        }
        #expect(times == [0, 1_000, 3_000, 7_000, 15_000, 23_000, 31_000, 39_000])
        #expect(schedule.look(40_000).map(\.entry.copies) == [8])
        #expect(schedule.isEmpty && schedule.bytes == 0)
    }

    @Test("refused requests stay first, and nothing is offered until the connection accepts messages again")
    func blocked() {
        var schedule = Schedule()
        schedule.connect()
        for number in 1...5 as ClosedRange<UInt64> { #expect(Self.add(number, to: &schedule)) }
        var offered: [Schedule.Entry] = []
        while offered.count < 3, let entry = schedule.next(0) { offered.append(entry) }
        schedule.sent(offered[0], at: 0)
        schedule.blocked(offered[1...])
        for now in stride(from: 50, to: 5_000, by: 50) as StrideTo<UInt64> {
            _ = schedule.look(now)
            #expect(schedule.next(now) == nil)
        }
        schedule.end(Self.key(3))
        schedule.unblock()
        // The second copy of the first request comes after the requests that were never sent.
        #expect(Self.send(&schedule, at: 5_000) == ["2", "4", "5", "1"])
    }

    @Test("a request whose time is over is not sent any more, and its outcome says whether it ever was")
    func deadlines() {
        var schedule = Schedule()
        schedule.connect()
        #expect(Self.add(1, to: &schedule, deadline: 100))
        #expect(Self.send(&schedule, at: 0) == ["1"])
        schedule.disconnect()
        for number in 2...300 as ClosedRange<UInt64> { #expect(Self.add(number, to: &schedule, deadline: 100)) }
        #expect(schedule.look(99).isEmpty)
        let over = schedule.look(100)
        #expect(over.map { $0.entry.copies }.sorted() == Array(repeating: 0, count: 299) + [1])
        let isRight = over.allSatisfy { entry, outcome in
            switch outcome {
            case .timedOut: entry.copies == 1
            case .notConnected: entry.copies == 0
            default: false
            }
        }
        #expect(isRight)
        // Without a connection nothing else removes them.
        #expect(schedule.isEmpty && schedule.bytes == 0 && schedule.dueCount == 0)
    }

    @Test("a request with the same key replaces the waiting one, inherits its copies, and is counted once in the bytes")
    func sameName() {
        var schedule = Schedule()
        schedule.connect()
        #expect(Self.add(1, to: &schedule))
        #expect(Self.send(&schedule, at: 0) == ["1"])
        #expect(schedule.add(Self.key(1), "again", bytes: 25, deadline: 90_000) == .inPlaceOfAnother)
        #expect(schedule.bytes == 25 && schedule.count == 1 && schedule[Self.key(1)]?.copies == 1)
        #expect(Self.send(&schedule, at: 500).isEmpty)
        _ = schedule.look(1_000)
        #expect(Self.send(&schedule, at: 1_000) == ["again"])
        // A request that was not sent yet is sent once.
        #expect(Self.add(2, to: &schedule))
        #expect(schedule.add(Self.key(2), "second", bytes: 5, deadline: 90_000) == .inPlaceOfAnother)
        #expect(Self.send(&schedule, at: 1_000) == ["second"])
    }

    @Test("waiting requests are limited in number and in bytes")
    func bounds() {
        var schedule = Schedule(limit: 3, byteLimit: 25)
        #expect(Self.add(1, to: &schedule) && Self.add(2, to: &schedule))
        #expect(schedule.add(Self.key(3), "", bytes: 6, deadline: 9) == .tooMany)
        #expect(schedule.add(Self.key(3), "", bytes: 5, deadline: 9) == .added)
        #expect(schedule.add(Self.key(4), "", bytes: 0, deadline: 9) == .tooMany)
        #expect(schedule.add(Self.key(3), "", bytes: 0, deadline: 9) == .inPlaceOfAnother)
        #expect(schedule.endAll().count == 3 && schedule.bytes == 0 && schedule.isEmpty)
        #expect(Self.add(1, to: &schedule))
    }
}
