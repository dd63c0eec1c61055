// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import SwiftProtobuf
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol

@testable import StorageRules

@Suite("The change log", .inShortTurn)
struct ChangeLogTests {
    @Test(arguments: Home.allCases)
    func revisionsAreDenseAndTheLogHasWhatWasReturned(home: Home) async throws {
        let client = try EngineClient(home)
        var random = SplitMix64(seed: 7)
        var ids: [Landmark.ID] = []
        for round in 0..<40 {
            var batch: [WriteRequest] = []
            for place in 0..<(1 + round % 5) {
                switch (ids.randomElement(using: &random), random.next() % 4) {
                case (let id?, 0): batch.append(client.request(.remove(id, ifVersion: nil)))
                case (let id?, 1): batch.append(client.request(.addNote(id, text: "note \(round) \(place)")))
                case (let id?, 2):
                    batch.append(client.request(.edit(id, try LandmarkEdit(name: "\(round % 3)"), ifVersion: nil)))
                default: batch.append(client.request(.add(try draft("\(round) \(place)"), note: nil)))
                }
            }
            for reply in try client.apply(batch) {
                if case .written(let written) = reply.result, let id = UUIDv7(bytes: written.id) { ids.append(id) }
            }
        }
        #expect(client.changes.map(\.rev) == Array(1...UInt64(client.changes.count)))
        let page = try await client.engine.reader.changes(since: 0, limit: 10_000, maxBytes: .max)
        #expect(page.changes == client.changes.map { Data($0.bytes) })
        #expect(page.through == client.engine.position.rev && page.head == page.through && page.floor == 1)
        // Each before is the after of the change that made it.
        var last: [Landmark.ID: Landmark] = [:]
        for change in try client.decodedChanges {
            #expect(change.before == last[change.landmark.id])
            last[change.landmark.id] = change.operation == .removed ? nil : change.landmark
        }
        #expect(try await client.all() == last.values.sorted { $0.id < $1.id })
        #expect(try await client.engine.reader.numbers().landmarks == UInt64(last.count))
    }

    @Test(arguments: Home.allCases)
    func pagesEndAtTheirLimits(home: Home) async throws {
        let client = try EngineClient(home)
        for number in 0..<10 { try client.add("\(number)") }
        let reader = client.engine.reader
        let page = try await reader.changes(since: 3, limit: 4, maxBytes: .max)
        #expect(page.changes == client.changes[3..<7].map { Data($0.bytes) } && page.through == 7 && page.head == 10)
        let size = client.changes[0].bytes.count
        #expect(try await reader.changes(since: 0, limit: 10, maxBytes: 2 * size).through == 2)
        #expect(try await reader.changes(since: 0, limit: 10, maxBytes: 1).through == 1)
        let end = try await reader.changes(since: 10, limit: 10, maxBytes: 1)
        #expect(end.changes.isEmpty && end.through == 10)
    }

    @Test(arguments: Home.allCases)
    func revisionsThatAreNotThereAreNamed(home: Home) async throws {
        let client = try EngineClient(home)
        let reader = client.engine.reader
        #expect(try await reader.changes(since: 0, limit: 1, maxBytes: 1).changes.isEmpty)
        for number in 0..<10 { try client.add("\(number)") }
        for future in [11, UInt64.max] {
            await #expect(throws: EngineError.futureRevision(floor: 1, head: 10)) {
                try await reader.changes(since: future, limit: 1, maxBytes: 1)
            }
        }
        #expect(try client.engine.upkeep.compact(below: 6) == 6)
        #expect(client.engine.upkeep.floor == 6)
        await #expect(throws: EngineError.compacted(floor: 6, head: 10)) {
            try await reader.changes(since: 4, limit: 1, maxBytes: 1)
        }
        #expect(try await reader.changes(since: 5, limit: 9, maxBytes: .max).changes.count == 5)
        // The newest one stays, so that head and count stay known.
        #expect(try client.engine.upkeep.compact(below: .max) == 10)
        #expect(try client.add("11").rev == 11)
        if home == .disk {
            try client.reopen()
            #expect(client.engine.upkeep.floor == 10 && client.engine.position.rev == 11)
            #expect(try client.add("12").rev == 12)
            #expect(try await client.engine.reader.numbers().landmarks == 12)
        }
    }

    @Test(arguments: Home.allCases)
    func historyIsNewestFirstAndSaysWhenItIsCut(home: Home) async throws {
        let client = try EngineClient(home)
        let added = try client.add("Bondi")
        try client.add("Manly")
        try client.write(.edit(added.id, LandmarkEdit(name: "Bondi Beach"), ifVersion: nil), user: "berta")
        try client.write(.addNote(added.id, text: "Surf"), user: "carla")
        let reader = client.engine.reader
        let shown = try await reader.show(added.id, historyLimit: 100)
        #expect(shown.history.map(\.rev) == [4, 3, 1])
        #expect(shown.history.map(\.user) == ["carla", "berta", "armando"])
        #expect(shown.history.map(\.version) == [3, 2, 1])
        #expect(shown.history.map(\.operation) == [4, 2, 1])
        #expect(!shown.historyCut)
        #expect(try await reader.show(added.id, historyLimit: 2).history.map(\.rev) == [4, 3])
        _ = try client.engine.upkeep.compact(below: 3)
        let cut = try await reader.show(added.id, historyLimit: 100)
        #expect(cut.history.map(\.rev) == [4, 3] && cut.historyCut)
    }

    @Test(arguments: Home.allCases)
    func snapshotAndChangesReachTheStateWhileWritesGoOn(home: Home) async throws {
        let client = try EngineClient(home)
        var ids = try (0..<60).map { try client.add("\($0)").id }
        var random = SplitMix64(seed: 11)
        let reader = client.engine.reader
        var replica: [Landmark.ID: Landmark] = [:]
        var page = try await reader.snapshot(after: nil, limit: 9, maxBytes: .max)
        let base = page.head
        while true {
            for record in page.landmarks {
                let landmark = try StoredLandmark(record: record).landmark
                replica[landmark.id] = landmark
            }
            guard let next = UUIDv7(bytes: page.next) else { break }
            // Between two pages: one goes, one changes, one comes.
            ids.shuffle(using: &random)
            try client.write(.remove(ids.removeLast(), ifVersion: nil))
            try client.write(.edit(ids[0], LandmarkEdit(name: "edited \(client.sequence)"), ifVersion: nil))
            ids.append(try client.add("late \(client.sequence)").id)
            page = try await reader.snapshot(after: next, limit: 9, maxBytes: .max)
        }
        let changes = try await reader.changes(since: base, limit: 1_000, maxBytes: .max)
        #expect(changes.through == client.engine.position.rev && changes.changes.count >= 18)
        for bytes in changes.changes {
            let change = try Change(encoded: [UInt8](bytes))
            replica[change.landmark.id] = change.operation == .removed ? nil : change.landmark
        }
        let all = try await client.all()
        #expect(all == replica.values.sorted { $0.id < $1.id })
        #expect(all.count == 60)
    }

    @Test(arguments: Home.allCases)
    func snapshotPagesEndAtTheirLimitsAndCountAll(home: Home) async throws {
        let client = try EngineClient(home)
        for number in 0..<10 { try client.add("\(number)") }
        let reader = client.engine.reader
        let page = try await reader.snapshot(after: nil, limit: 10, maxBytes: .max)
        #expect(page.landmarks.count == 10 && page.next.isEmpty && page.total == 10 && page.head == 10)
        let small = try await reader.snapshot(after: nil, limit: 10, maxBytes: 1)
        #expect(small.landmarks.count == 1 && small.next.count == 16)
        let beyond = try await reader.snapshot(after: UUIDv7(high: .max, low: .max), limit: 10, maxBytes: .max)
        #expect(beyond.landmarks.isEmpty && beyond.next.isEmpty)
    }
}
