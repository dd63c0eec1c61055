// SPDX-License-Identifier: Apache-2.0

import Landmarks
import TestTurns
import Testing
import WaymarkProtocol

@testable import StorageRules

@Suite("Rows without an id whose name another row has", .inShortTurn)
struct NamesakeTests {
    private let places = ["a": (-33.88, 151.2), "b": (22.28, 114.15), "c": (51.5, -0.12)]

    /// As a query service sends them: their keys are those that `RowCollector` gives.
    private func ingest(
        _ client: EngineClient, _ letters: String, vanished: [String] = [], dry: Bool = false
    ) throws -> WireIngestReport {
        let rows = try letters.map { letter in
            let place = try #require(places[String(letter)])
            let draft = try draft("Central", place.0, place.1)
            let isAlone = letters.count == 1
            return (isAlone ? NameKey.alone(draft.name) : NameKey.among(draft.name, at: draft.coordinate), draft)
        }
        let reply = try client.send(.ingest(batch("seed", rows, vanished: vanished, dry: dry)), user: "")
        guard case .ingest(let report) = reply.result else { throw Unexpected(reply: reply) }
        return report
    }

    private func keys(_ client: EngineClient) async throws -> [String] {
        try await client.engine.reader.sourceKeys("seed", after: "", limit: 9).keys
    }

    @Test("the same landmark, with its notes, when a namesake appears and when it leaves", arguments: Home.allCases)
    func appearsAndLeaves(home: Home) async throws {
        let client = try EngineClient(home)
        _ = try ingest(client, "a")
        let id = try await client.all()[0].id
        try client.write(.addNote(id, text: "mine"))
        try client.write(.edit(id, LandmarkEdit(attributes: .init(kind: "station")), ifVersion: nil))
        // The one that is known is not always the first of them.
        #expect(try ingest(client, "ba", dry: true).counts == .counts(added: 1, changed: 1))
        #expect(try ingest(client, "ba").counts == .counts(added: 1, changed: 1))
        #expect(try await keys(client) == ["name:Central@-33.88,151.2", "name:Central@22.28,114.15"])
        var landmark = try await client.landmark(id)
        #expect(landmark.source == SourceKey(name: "seed", key: "name:Central@-33.88,151.2"))
        #expect(landmark.notes.count == 1 && landmark.kind == "station")
        #expect(try ingest(client, "ab").counts == .counts(unchanged: 2))
        // The namesake leaves.
        #expect(try ingest(client, "a").counts == .counts(changed: 1))
        #expect(try await keys(client) == ["name:Central", "name:Central@22.28,114.15"])
        #expect(
            try ingest(client, "a", vanished: ["name:Central@22.28,114.15"]).counts == .counts(unchanged: 1, removed: 1)
        )
        landmark = try await client.landmark(id)
        #expect(landmark.source?.key == "name:Central" && landmark.notes.count == 1 && landmark.kind == "station")
        #expect(try await client.all().map(\.id) == [id])
        try await client.expectSound()
    }

    @Test("one that is alone may move, one elsewhere is not taken for it", arguments: Home.allCases)
    func moves(home: Home) async throws {
        let client = try EngineClient(home)
        _ = try ingest(client, "a")
        #expect(try ingest(client, "b").counts == .counts(changed: 1))
        #expect(try ingest(client, "ac").counts == .counts(added: 2))
        #expect(try await keys(client).count == 3)
    }

    @Test("what a person removed stays away when a namesake appears", arguments: Home.allCases)
    func removed(home: Home) async throws {
        let client = try EngineClient(home)
        _ = try ingest(client, "a")
        try client.write(.remove(try await client.all()[0].id, ifVersion: nil))
        #expect(try ingest(client, "ab").counts == .counts(added: 1, unchanged: 1))
        #expect(try ingest(client, "ab").counts == .counts(unchanged: 2))
        #expect(try await client.all().map(\.coordinate.latitude) == [22.28])
        #expect(try await keys(client).count == 2)
    }
}
