// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestTurns
import Testing
import WaymarkProtocol

@testable import StorageRules

@Suite("Ingested rows", .inShortTurn)
struct IngestTests {
    private let harbour = ("h", "Darling Harbour", -33.8749, 151.1987)
    private let beach = ("b", "Bondi Beach", -33.8915, 151.2767)

    private func rows(_ harbourName: String = "Darling Harbour") throws -> [(String, LandmarkDraft)] {
        [
            (harbour.0, try draft(harbourName, harbour.2, harbour.3, rating: 4.5)),
            (beach.0, try draft(beach.1, beach.2, beach.3, kind: "beach")),
        ]
    }

    private func ingest(_ client: EngineClient, _ batch: IngestBatch) throws -> WireIngestReport {
        let reply = try client.send(.ingest(batch), user: "")
        guard case .ingest(let report) = reply.result else { throw Unexpected(reply: reply) }
        return report
    }

    @Test(arguments: Home.allCases)
    func newRowsBecomeLandmarksAndComingAgainChangesNothing(home: Home) async throws {
        let client = try EngineClient(home)
        let first = try ingest(client, batch("seed", rows()))
        #expect(first.counts == .counts(added: 2) && first.rev == 2)
        let landmarks = try await client.all()
        #expect(landmarks.map(\.name) == ["Darling Harbour", "Bondi Beach"])
        #expect(landmarks.map(\.source) == [SourceKey(name: "seed", key: "h"), SourceKey(name: "seed", key: "b")])
        #expect(landmarks.allSatisfy { $0.user.isEmpty } && landmarks[0].rating == 4.5)
        for _ in 0..<3 {
            let again = try ingest(client, batch("seed", rows()))
            #expect(again.counts == .counts(unchanged: 2) && again.rev == 0)
        }
        #expect(client.engine.position.rev == 2)
        #expect(try await client.all() == landmarks)
    }

    @Test(arguments: Home.allCases)
    func changedRowIsOneChangeAndAnotherSourceIsAnotherRow(home: Home) async throws {
        let client = try EngineClient(home)
        _ = try ingest(client, batch("seed", rows()))
        let report = try ingest(client, batch("seed", rows("Darling Harbor")))
        #expect(report.counts == .counts(changed: 1, unchanged: 1) && report.rev == 3)
        let change = try #require(client.decodedChanges.last)
        #expect(change.operation == .changed && change.user.isEmpty && change.before?.name == "Darling Harbour")
        #expect(try ingest(client, batch("other", rows())).counts == .counts(added: 2))
        #expect(try await client.all().count == 4)
    }

    @Test(arguments: Home.allCases)
    func whatAPersonEditedStaysUntilTheSourceSaysSomethingNewAboutIt(home: Home) async throws {
        let client = try EngineClient(home)
        _ = try ingest(client, batch("seed", rows()))
        let id = try await client.all()[0].id
        try client.write(
            .edit(id, LandmarkEdit(name: "Harbour", attributes: .init(kind: "harbour")), ifVersion: nil), user: "berta")
        #expect(try ingest(client, batch("seed", rows())).counts == .counts(unchanged: 2))
        #expect(try await client.landmark(id).name == "Harbour")
        // The source speaks of the rating: the name stays the person's.
        let rated = [(harbour.0, try draft("Darling Harbour", harbour.2, harbour.3, rating: 5))]
        #expect(try ingest(client, batch("seed", rated)).counts == .counts(changed: 1))
        var landmark = try await client.landmark(id)
        #expect(landmark.name == "Harbour" && landmark.kind == "harbour" && landmark.rating == 5)
        // Now of the name.
        let renamed = [(harbour.0, try draft("Cockle Bay", harbour.2, harbour.3, rating: 5))]
        #expect(try ingest(client, batch("seed", renamed)).counts == .counts(changed: 1))
        landmark = try await client.landmark(id)
        #expect(landmark.name == "Cockle Bay" && landmark.kind == "harbour")
    }

    @Test(arguments: Home.allCases)
    func rowThatSaysWhatAPersonSaidBeforeIsUnchangedButRemembered(home: Home) async throws {
        let client = try EngineClient(home)
        _ = try ingest(client, batch("seed", rows()))
        let id = try await client.all()[0].id
        try client.write(.edit(id, LandmarkEdit(name: "Cockle Bay"), ifVersion: nil))
        #expect(try ingest(client, batch("seed", rows("Cockle Bay"))).counts == .counts(unchanged: 2))
        #expect(client.engine.position.rev == 3)
        // Remembered: going back to the first name is something new.
        #expect(try ingest(client, batch("seed", rows())).counts == .counts(changed: 1, unchanged: 1))
        #expect(try await client.landmark(id).name == "Darling Harbour")
    }

    @Test(arguments: Home.allCases)
    func whatAPersonRemovedStaysAwayUntilItsRowVanishes(home: Home) async throws {
        let client = try EngineClient(home)
        _ = try ingest(client, batch("seed", rows()))
        try client.write(.remove(try await client.all()[0].id, ifVersion: nil))
        #expect(try ingest(client, batch("seed", rows())).counts == .counts(unchanged: 2))
        #expect(try ingest(client, batch("seed", rows("Renamed"))).counts == .counts(unchanged: 2))
        #expect(try await client.all().count == 1)
        #expect(try await client.engine.reader.sourceKeys("seed", after: "", limit: 9).keys == ["b", "h"])
        #expect(try ingest(client, batch("seed", vanished: ["h"])).counts == .counts())
        #expect(try ingest(client, batch("seed", rows())).counts == .counts(added: 1, unchanged: 1))
    }

    @Test(arguments: Home.allCases)
    func vanishedRowsGoUnlessSomebodyWroteOnThem(home: Home) async throws {
        let client = try EngineClient(home)
        _ = try ingest(client, batch("seed", rows()))
        let mine = try client.add("Mine")
        let noted = try await client.all()[0].id
        let note = try client.write(.addNote(noted, text: "Nice"), user: "berta")
        let report = try ingest(client, batch("seed", vanished: ["h", "b", "unknown"]))
        #expect(report.counts == .counts(removed: 1, kept: 1) && report.rev == 5)
        #expect(try client.decodedChanges.last?.operation == .removed)
        #expect(try await client.all().map(\.id) == [noted, mine.id])
        // Kept, and still found again.
        #expect(try ingest(client, batch("seed", rows())).counts == .counts(added: 1, unchanged: 1))
        try client.write(.removeNote(try #require(note.note)), user: "berta")
        #expect(try ingest(client, batch("seed", vanished: ["h"])).counts == .counts(removed: 1))
        // Nobody's but the source's own: another source has no say.
        #expect(try ingest(client, batch("other", vanished: ["b"])).counts == .counts())
        #expect(try await client.all().map(\.name) == ["Mine", "Bondi Beach"])
    }

    @Test(arguments: Home.allCases)
    func dryRunCountsExactlyAndLeavesNothing(home: Home) async throws {
        let client = try EngineClient(home)
        _ = try ingest(client, batch("seed", rows()))
        let before = try await client.all()
        let next = [
            (harbour.0, try draft("Renamed", harbour.2, harbour.3)), ("n", try draft("New", 1, 2)),
        ]
        let dry = try ingest(client, batch("seed", next, vanished: ["b"], dry: true))
        #expect(dry.counts == .counts(added: 1, changed: 1, removed: 1) && dry.rev == 0)
        #expect(client.engine.position.rev == 2 && client.changes.count == 2)
        #expect(try await client.all() == before)
        #expect(try await client.engine.reader.sourceKeys("seed", after: "", limit: 9).keys == ["b", "h"])
        let real = try ingest(client, batch("seed", next, vanished: ["b"]))
        #expect(real.counts == dry.counts && real.rev == 5)
        #expect(try await client.engine.reader.numbers().landmarks == 2)
        try await client.expectSound()
    }

    @Test(arguments: Home.allCases)
    func dryRunAmongOthersOfABatchTakesBackOnlyItself(home: Home) async throws {
        let client = try EngineClient(home)
        let replies = try client.apply([
            client.request(.add(draft("first"), note: nil)),
            client.request(.ingest(batch("seed", rows(), dry: true)), user: ""),
            client.request(.add(draft("second"), note: nil)),
        ])
        #expect(replies[1].ingest.counts == .counts(added: 2))
        #expect(replies[2].written.rev == 2)
        try await client.expectSound()
    }

    @Test(arguments: Home.allCases)
    func rowTooLargeForItsLandmarkIsRejectedByItself(home: Home) async throws {
        let client = try EngineClient(home)
        _ = try ingest(client, batch("seed", rows()))
        let id = try await client.all()[0].id
        // Filled up with notes to within a hundred bytes of what a record may take.
        while true {
            let size = try await client.engine.reader.show(id, historyLimit: 1).landmark.count
            let room = LandmarkRules.grownBytes - size - 120
            guard room > 0 else { break }
            try client.write(.addNote(id, text: String(repeating: "n", count: min(room, 50_000))))
        }
        let long = String(repeating: "l", count: 2_000)
        var next = try rows("Renamed")
        next[0].1.link = long
        next[1].1.link = long
        let report = try ingest(client, batch("seed", next))
        #expect(report.counts == .counts(changed: 1, rejected: 1))
        #expect(report.rejected.map(\.row) == [0])
        try await client.expectSound()
    }

    @Test(arguments: Home.allCases)
    func sourcesAndTheirKeysAreListed(home: Home) async throws {
        let client = try EngineClient(home)
        _ = try ingest(client, batch("seed", rows()))
        _ = try ingest(client, batch("air", (0..<5).map { ("k\($0)", try draft("\($0)")) }))
        let reader = client.engine.reader
        let sources = try await reader.sources()
        #expect(sources.map(\.source) == ["air", "seed"] && sources.map(\.landmarks) == [5, 2])
        let page = try await reader.sourceKeys("air", after: "k1", limit: 2)
        #expect(page.keys == ["k2", "k3"] && page.more)
        #expect(try await !reader.sourceKeys("air", after: "k2", limit: 2).more)
        #expect(try await reader.sourceKeys("nothing", after: "", limit: 2).keys.isEmpty)
    }
}

extension WireIngestCounts {
    static func counts(
        added: UInt64 = 0, changed: UInt64 = 0, unchanged: UInt64 = 0, removed: UInt64 = 0, rejected: UInt64 = 0,
        kept: UInt64 = 0
    ) -> WireIngestCounts {
        var counts = WireIngestCounts()
        counts.added = added
        counts.changed = changed
        counts.unchanged = unchanged
        counts.removed = removed
        counts.rejected = rejected
        counts.kept = kept
        return counts
    }
}
