// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import SQLite
import TestPostgreSQL
import TestTurns
import Testing
import WaymarkProtocol

@testable import StorageRules

@Suite("A text comes in one form, whichever it was typed in", .inShortTurn)
struct NormalTextTests {
    private static let composed = "Caf\u{e9}"
    private static let apart = "Cafe\u{301}"

    private func ingest(_ client: EngineClient, _ key: String, vanished: [String] = []) throws -> WireIngestCounts {
        let request = WireRequest.with {
            $0.ingest.source = Self.apart
            $0.ingest.vanished = vanished
            $0.ingest.rows = [WireSourceRow(key, .with { $0.name = "x" })]
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
            $0.add.draft.attributes.kind = Self.apart
            $0.add.draft.attributes.link = Self.apart
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
            #expect(texts.allSatisfy { $0.utf8.elementsEqual($0.normal.utf8) })
            #expect(texts[0] == Self.composed && texts[1] == "caf\u{e9}")
            // Found by filters in either form.
            for form in [Self.apart, Self.composed] {
                #expect(try await !client.search("cafe", filter: LandmarkFilter(user: form)).isEmpty)
            }
        }
    }
}
