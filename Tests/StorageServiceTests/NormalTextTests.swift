// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import SQLite
import TestPostgreSQL
import TestTurns
import Testing
import WaymarkProtocol

@testable import StorageService

@Suite("A text comes in one form, whichever it was typed in", .inShortTurn, .timeLimit(.minutes(20)))
struct NormalTextTests {
    private static let composed = "Caf\u{e9}"
    private static let apart = "Cafe\u{301}"

    private func ingest(_ client: EngineClient, _ key: String, vanished: [String] = []) throws -> WireIngestCounts {
        let request = WireRequest.with {
            $0.ingest.source = Self.apart
            $0.ingest.vanished = vanished
            $0.ingest.rows = [
                .with {
                    $0.key = key
                    $0.draft = WireLandmarkDraft()
                    $0.draft.name = "x"
                }
            ]
        }
        return try client.send(try Command(request), user: "").ingest.counts
    }

    @Test("a source that goes from one form to the other does not double its rows", arguments: Home.allCases)
    func keys(home: Home) async throws {
        let client = try EngineClient(home)
        #expect(try ingest(client, Self.composed) == .counts(added: 1))
        #expect(try ingest(client, Self.apart) == .counts(unchanged: 1))
        let page = try await client.engine.reader.sourceKeys(Self.composed, after: "", limit: 9)
        #expect(page.keys.map { Array($0.utf8) } == [Array(Self.composed.utf8)])
        let landmark = try await client.all()[0]
        #expect(landmark.source.map { Array(($0.name + $0.key).utf8) } == Array((Self.composed + Self.composed).utf8))
    }

    @Test("fields, notes and users, whether they are read by hand or not")
    func fields() async throws {
        let client = try EngineClient(.memory)
        let request = WireRequest.with {
            $0.add.draft.name = Self.apart
            $0.add.draft.kind = Self.apart
            $0.add.draft.link = Self.apart
            $0.add.note = Self.apart
        }
        let bytes: [UInt8] = try request.serializedBytes()
        let byHand = try #require(bytes.withUnsafeBytes { AddFields(request: $0) })
        for command in [try Command(request), try Command(byHand)] {
            let id = try client.write(command, user: Self.apart).id
            let landmark = try await client.landmark(id)
            let texts = [
                landmark.name, landmark.kind, landmark.link, landmark.user, landmark.notes[0].text,
                landmark.notes[0].user,
            ]
            #expect(texts.allSatisfy(\.isNormal) && texts[0] == Self.composed && texts[1] == "caf\u{e9}")
            // Found by filters in either form.
            for form in [Self.apart, Self.composed] {
                #expect(try await !client.search("cafe", filter: LandmarkFilter(user: form)).isEmpty)
            }
        }
    }

    @Test(
        "keys of an earlier release are looked up under the one form", .onSQLite("looks into SQLite's file"),
        arguments: [false, true])
    func migration(isDouble: Bool) async throws {
        let client = try EngineClient(.disk)
        _ = try ingest(client, Self.composed)
        let id = try await client.all()[0].id
        var old = try await client.landmark(id)
        old.source = SourceKey(name: Self.apart, key: Self.apart)
        let record = Data(old.encoded)
        try client.sqlite.probe { db in
            try db.execute(
                sql: "UPDATE source_rows SET source = ?, key = ?; UPDATE landmarks SET record = ?",
                arguments: [Self.apart, Self.apart, record])
            try db.execute(
                sql: """
                    DROP TABLE forgotten; DROP TABLE newest; DROP TABLE track_points; DROP TABLE accounts; DROP TABLE account_keys;
                    DROP TABLE invitations; DROP TABLE audit; DROP TABLE owner_tasks;
                    DELETE FROM grdb_migrations WHERE identifier IN ('3 forgotten', '4 tracks', '5 accounts', '6 web')
                    """)
            // As the release before would have doubled it.
            if isDouble {
                try db.execute(
                    sql: "INSERT INTO source_rows SELECT ?, ?, NULL, draft FROM source_rows",
                    arguments: [Self.composed, Self.composed])
            }
        }
        try client.reopen()
        #expect(try ingest(client, Self.apart) == .counts(unchanged: 1))
        #expect(try await client.all().count == 1)
        // The landmark still says the other form of its key.
        try client.write(.remove(id, ifVersion: nil))
        #expect(try ingest(client, Self.composed) == .counts(unchanged: 1))
        #expect(try await client.all().isEmpty)
        let orphans = try client.sqlite.probe { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM source_rows WHERE landmark IS NULL")
        }
        #expect(orphans == (isDouble ? 2 : 1))
    }
}
