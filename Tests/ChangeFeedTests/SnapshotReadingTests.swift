// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Landmarks
import TestTurns
import Testing

@Suite("The steps of reading a snapshot", .inShortTurn)
struct SnapshotReadingTests {
    private static let epoch = UUIDv7(high: 1, low: 1)
    private static let run = UUIDv7(high: 2, low: 1)

    private static func at(_ rev: UInt64, run: UUIDv7? = run, epoch: UUIDv7 = epoch) -> Position {
        Position(epoch: epoch, rev: rev, run: run)
    }

    @Test("all pages are read, then the changes from the first position through the head of the last page")
    func steps() throws {
        var reading = SnapshotReading(from: Self.at(5))
        #expect(reading.step == .page(after: []))
        try reading.page(next: [1], head: 6, position: Self.at(6))
        #expect(reading.step == .page(after: [1]))
        try reading.page(next: [], head: 9, position: Self.at(9))
        #expect(reading.step == .changes(since: Self.at(5)))
        try reading.changes(through: 7, run: Self.run)
        #expect(reading.step == .changes(since: Self.at(7)))
        // A page of the log may reach further than the head of the last page.
        let later = UUIDv7(high: 2, low: 2)
        try reading.changes(through: 12, run: later)
        #expect(reading.step == .complete(Self.at(12, run: later)))
    }

    @Test("without any change the log is still asked: it says that the position is in its history")
    func quiet() throws {
        var reading = SnapshotReading(from: Self.at(5, run: nil))
        try reading.page(next: [], head: 5, position: nil)
        #expect(reading.step == .changes(since: Self.at(5, run: nil)))
        try reading.changes(through: 5, run: Self.run)
        #expect(reading.step == .complete(Self.at(5)))
    }

    @Test("pages of two runs of storage, or of another history, are not put together")
    func restarted() throws {
        let later = UUIDv7(high: 2, low: 2)
        var reading = SnapshotReading(from: Self.at(5))
        // Storage may have been restarted before the first page: the log says whether the position holds.
        try reading.page(next: [1], head: 6, position: Self.at(6, run: later))
        try reading.page(next: [2], head: 6, position: Self.at(6, run: nil))
        #expect(throws: SnapshotReading.Failure.storageRestarted) {
            try reading.page(next: [3], head: 6, position: Self.at(6))
        }
        var other = SnapshotReading(from: Self.at(5))
        #expect(throws: SnapshotReading.Failure.storageRestarted) {
            try other.page(next: [], head: 6, position: Self.at(6, epoch: UUIDv7(high: 1, low: 2)))
        }
    }

    @Test("a first page without a run says nothing about the run of the others")
    func lateRun() throws {
        var reading = SnapshotReading(from: Self.at(5))
        try reading.page(next: [1], head: 6, position: Self.at(6, run: nil))
        try reading.page(next: [2], head: 6, position: Self.at(6))
        #expect(throws: SnapshotReading.Failure.storageRestarted) {
            try reading.page(next: [3], head: 6, position: Self.at(6, run: UUIDv7(high: 2, low: 2)))
        }
    }

    @Test("a page that leads to itself ends the reading")
    func circle() throws {
        var reading = SnapshotReading(from: Self.at(5))
        try reading.page(next: [1], head: 6, position: nil)
        #expect(throws: SnapshotReading.Failure.stuck) { try reading.page(next: [1], head: 6, position: nil) }
    }

    @Test("a page of the log that brings nothing before the head is reached ends the reading")
    func stuck() throws {
        var reading = SnapshotReading(from: Self.at(5))
        try reading.page(next: [], head: 9, position: Self.at(9))
        #expect(throws: SnapshotReading.Failure.stuck) { try reading.changes(through: 5, run: nil) }
        try reading.changes(through: 9, run: nil)
        #expect(reading.step == .complete(Self.at(9, run: nil)))
    }

    @Test("answers that nobody asked for change nothing")
    func unasked() throws {
        var reading = SnapshotReading(from: Self.at(5))
        try reading.changes(through: 100, run: nil)
        #expect(reading.step == .page(after: []))
        try reading.page(next: [], head: 5, position: nil)
        try reading.page(next: [7], head: 90, position: nil)
        #expect(reading.step == .changes(since: Self.at(5)))
    }

    @Test("pauses double up to two seconds, and are as long as the service asks for, up to ten")
    func pauses() {
        var pauses = SnapshotPauses()
        let first = (0..<8).map { _ in pauses.next() }
        #expect(first == [50, 100, 200, 400, 800, 1_600, 2_000, 2_000].map { .milliseconds($0) })
        #expect(pauses.count == 8)
        #expect(pauses.next(asked: 5_000) == .seconds(5))
        #expect(pauses.next(asked: .max) == .seconds(10))
    }
}
