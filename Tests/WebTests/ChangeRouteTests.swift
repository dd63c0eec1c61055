// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import TestTurns
import TestWeb
import Testing
import WaymarkClient

@testable import Web

@Suite(.inTurn)
struct ChangeRouteTests {
    private func add(_ client: WaymarkClient, _ count: Int, kind: String = "") async throws {
        for number in 0..<count {
            let here = try Coordinate(latitude: Double(number % 80), longitude: 10)
            _ = try await client.add(try LandmarkDraft(name: "L\(number)", coordinate: here, kind: kind))
        }
    }

    private static func revs(_ events: [EventReader.Event]) -> [UInt64] {
        events.filter { $0.name != "beacon" && $0.name != "synced" && $0.name != "landmark" }
            .compactMap { $0.id.flatMap(Position.init(eventID:))?.rev }
    }

    @Test
    func aStreamThatIsCutGoesOnExactlyThere() async throws {
        try await withStage { stage, client in
            var last: String?
            var seen: [UInt64] = []
            let writing = Task { try await add(client, 60) }
            for cut in 1...6 {
                let headers = last.map { ["last-event-id": $0] } ?? [:]
                let reader = try EventReader(
                    port: stage.port, last == nil ? "/v1/changes?since=0" : "/v1/changes", headers: headers)
                let before = seen.count
                let events = try await reader.wait { Self.revs($0).count + before >= cut * 10 }
                reader.cut()
                // The last one may have come while the condition was looked at.
                seen += Self.revs(events)
                last = events.last { $0.id != nil }?.id ?? last
            }
            try await writing.value
            #expect(seen.count >= 60)
            #expect(seen == Array(1...UInt64(seen.count)))
        }
    }

    @Test(arguments: [1, 4_096])
    func aReaderBeforeTheRingReadsTheLogUntilItMeetsIt(ring: Int) async throws {
        try await withStage {
            $0.ringCount = ring
        } _: { stage, client in
            try await add(client, 30)
            let reader = try EventReader(port: stage.port, "/v1/changes?since=0")
            _ = try await reader.wait { Self.revs($0).count >= 30 }
            try await add(client, 30)
            let events = try await reader.wait { Self.revs($0).count >= 60 }
            #expect(Self.revs(events) == Array(1...60))
            reader.cut()
        }
    }

    @Test
    func theFilterTellsWhatEntersAndLeaves() async throws {
        try await withStage { stage, client in
            let reader = try EventReader(port: stage.port, "/v1/changes?since=0&kind=beach")
            let here = try Coordinate(latitude: 1, longitude: 2)
            let written = try await client.add(try LandmarkDraft(name: "A", coordinate: here, kind: "pool"))
            _ = try await client.edit(written.id, try LandmarkEdit(attributes: .init(kind: "beach")))
            _ = try await client.edit(written.id, try LandmarkEdit(name: "B"))
            _ = try await client.edit(written.id, try LandmarkEdit(attributes: .init(kind: "pool")))
            let events = try await reader.wait { Self.revs($0).count >= 3 }
            let changes = events.filter { $0.name != "beacon" }
            #expect(changes.map(\.name) == ["entered", "changed", "left"])
            for event in changes {
                let object = try JSONSerialization.jsonObject(with: Data(event.data.utf8)) as? [String: Any]
                #expect(object?["op"] as? String == event.name)
            }
            // The beacon moves the id over what the filter skips.
            _ = try await client.edit(written.id, try LandmarkEdit(name: "C"))
            let moved = try await reader.wait { $0.contains { $0.name == "beacon" && $0.id?.hasSuffix("-5") == true } }
            #expect(moved.contains { $0.name == "beacon" && $0.id?.hasSuffix("-5") == true })
            reader.cut()
        }
    }

    private static func landmarkID(_ event: EventReader.Event) throws -> String {
        let object = try JSONSerialization.jsonObject(with: Data(event.data.utf8)) as? [String: Any]
        return try #require((object?["landmark"] as? [String: Any])?["id"] as? String)
    }

    @Test
    func aSnapshotComesFirstAndThenSynced() async throws {
        try await withStage { stage, client in
            try await add(client, 5)
            let reader = try EventReader(port: stage.port, "/v1/changes?snapshot")
            _ = try await reader.wait { $0.contains { $0.name == "synced" } }
            try await add(client, 1)
            let events = try await reader.wait { $0.contains { $0.name == "added" } }.filter { $0.name != "beacon" }
            // A landmark that changed since the position at which the snapshot began is told once more, and the query
            // service may not have had the newest one then.
            let landmarks = events.prefix { $0.name == "landmark" }
            #expect(try Set(landmarks.map { try Self.landmarkID($0) }).count == 5)
            #expect(landmarks.allSatisfy { $0.id == nil })
            #expect(events.dropFirst(landmarks.count).map(\.name) == ["synced", "added"])
            #expect(events.suffix(2).map { $0.id.flatMap(Position.init(eventID:))?.rev } == [5, 6])
            reader.cut()
        }
    }

    @Test
    func aPositionThatIsGoneIsToldAndEndsTheStream() async throws {
        try await withStage {
            $0.ringCount = 1
        } _: { stage, client in
            try await add(client, 20)
            _ = try await client.compact(below: 15)
            let reader = try EventReader(port: stage.port, "/v1/changes?since=3")
            let events = try await reader.wait { !$0.isEmpty }
            #expect(events.first?.name == "compacted")
            #expect(events.first?.data.contains("\"reason\":\"compacted\",\"floor\":15,\"head\":20") == true)
            let future = try EventReader(port: stage.port, "/v1/changes?since=99")
            #expect(try await future.wait { !$0.isEmpty }.first?.data.contains("future_revision") == true)
        }
    }

    @Test("while storage is away, a reader behind the ring learns that its stream is not up to date")
    func storageIsAway() async throws {
        try await withStage {
            $0.ringCount = 1
            $0.timeout = .seconds(1)
        } _: { stage, client in
            try await add(client, 5)
            let first = try EventReader(port: stage.port, "/v1/changes?since=0")
            let id = try await first.wait { Self.revs($0).count >= 5 }.first { $0.name == "added" }?.id
            first.cut()
            await stage.stopStorage()
            let reader = try EventReader(
                port: stage.port, "/v1/changes", headers: ["last-event-id": try #require(id)])
            let events = try await reader.wait { $0.contains { $0.data.contains("\"live\":false") } }
            let beacon = try #require(events.firstIndex { $0.data.contains("\"live\":false") })
            // Usually no change is told. The ring may get one late, after the first reader had it from the log.
            let changes = events[..<beacon].filter { $0.name == "added" }
            let revs = Self.revs(changes)
            #expect(revs == Array([2, 3, 4, 5].prefix(revs.count)))
            #expect(events[beacon].id == changes.last?.id ?? id)
            reader.cut()
            try await stage.startStorage()
        }
    }

    @Test
    func aRestartOfStorageIsHealed() async throws {
        try await withStage { stage, client in
            let reader = try EventReader(port: stage.port, "/v1/changes?since=0")
            try await add(client, 10)
            _ = try await reader.wait { Self.revs($0).count >= 10 }
            await stage.stopStorage()
            try await stage.startStorage()
            try await add(client, 10)
            let events = try await reader.wait { Self.revs($0).count >= 20 }
            #expect(Self.revs(events) == Array(1...20))
            reader.cut()
        }
    }

    @Test
    func readersAreBounded() async throws {
        try await withStage {
            $0.readers = 2
        } _: { stage, _ in
            let readers = try (0..<2).map { _ in try EventReader(port: stage.port, "/v1/changes?since=0") }
            for reader in readers { _ = try await reader.wait { !$0.isEmpty } }
            let third = try await stage.ask("GET", "/v1/changes?since=0")
            #expect(third.status == 503 && third.headers["retry-after"] != nil)
            for reader in readers { reader.cut() }
        }
    }
}
