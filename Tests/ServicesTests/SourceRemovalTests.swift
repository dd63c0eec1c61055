// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SwiftProtobuf
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol

@Suite("A source is removed", .inTurn)
struct SourceRemovalTests {
    private func ingest(_ client: WaymarkClient, _ source: String, _ rows: Range<Int>) async throws {
        _ = try await client.send(
            .with {
                $0.ingest.source = source
                $0.ingest.rows = rows.map { number in
                    WireSourceRow("\(number)", .with { $0.name = "\(source) \(number)" })
                }
            })
    }

    private func fetched(_ client: WaymarkClient, _ source: String) async throws {
        _ = try await client.send(.with { $0.beginFetch.source = source })
    }

    @Test("with all its rows and its state; landmarks with people's notes stay unless requested")
    func removes() async throws {
        try await withPair(.ipc) { _, client in
            try await ingest(client, "test", 0..<600)
            try await ingest(client, "test", 600..<1_200)
            try await ingest(client, "other", 0..<2)
            for source in ["test", "other", "failed"] { try await fetched(client, source) }
            let mine = try await client.add(WriteTests.draft("mine"))
            let noted = try await client.search("test 7").hits.map(\.landmark.id)
            _ = try await client.addNote(to: try #require(noted.first), "Nice")

            let removed = try await client.removeSource("test")
            #expect(removed.removed == 1_199 && removed.kept == 1)
            var sources = try await client.sources().map(\.source)
            #expect(sources == ["failed", "other", "test"])
            let rest = try await client.removeSource("test", withNotes: true)
            #expect(rest.removed == 1 && rest.kept == 0)
            // A source whose only fetch failed, and an unknown one.
            for name in ["failed", "unknown"] {
                let nothing = try await client.removeSource(name)
                #expect(nothing == RemovedSource())
            }
            sources = try await client.sources().map(\.source)
            #expect(sources == ["other"])
            let left = try await client.list(.byName).hits.map(\.landmark.name)
            #expect(left == ["mine", "other 0", "other 1"])
            _ = try await client.remove(mine.id)
            // The source may come back, starting over.
            try await ingest(client, "test", 0..<1)
            let again = try await client.sources().first { $0.source == "test" }
            #expect(again?.landmarks == 1)
        }
    }
}
