// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import SQLite
import SwiftProtobuf
import TestPostgreSQL
import TestTurns
import Testing
import WaymarkProtocol

@testable import StorageRules

/// A later release wrote into a landmark, its source and a note what this release does not know. Then this release, or a
/// client that is as old, edits the landmark.
@Suite("Fields of a later release stay through every edit", .inShortTurn)
struct LaterFieldsTests {
    private enum LaterField: UInt64, WireField { case text = 1_000 }

    private static let later: [UInt8] = {
        var wire = WireWriter()
        wire.text(LaterField.text, "from a later release")
        return wire.bytes
    }()

    /// A landmark of a source with one note, all three with a field that is not known here.
    private func planted(_ home: Home) async throws -> (EngineClient, Landmark.ID, Note.ID) {
        let client = try EngineClient(home)
        try client.send(.ingest(batch("seed", [("1", try draft("Bondi", rating: 4))])))
        let id = try #require(try await client.all().first?.id)
        let note = try #require(try client.write(.addNote(id, text: "Mind the rip.")).note)
        var wire = try WireLandmark(serializedBytes: try await client.landmark(id).encoded + Self.later)
        wire.source = try WireSourceKey(serializedBytes: try wire.source.serializedBytes() + Self.later)
        wire.notes[0] = try WireNote(serializedBytes: try wire.notes[0].serializedBytes() + Self.later)
        let record: [UInt8] = try wire.serializedBytes()
        try client.sqlite.probe { db in try db.execute(sql: "UPDATE landmarks SET record = ?", arguments: [record]) }
        return (client, id, note)
    }

    /// Holds what is stored against what was planted.
    private func hold(_ client: EngineClient, _ id: Landmark.ID, _ step: Comment) async throws -> WireLandmark {
        let record = try await client.engine.reader.show(id, historyLimit: 1).landmark
        let wire = try WireLandmark(serializedBytes: record)
        for kept in [wire.unknownFields, wire.source.unknownFields, try #require(wire.notes.first).unknownFields] {
            #expect([UInt8](kept.data) == Self.later, step)
        }
        return wire
    }

    @Test(.onSQLite("looks into SQLite's file"), arguments: Home.allCases)
    func edits(home: Home) async throws {
        let (client, id, note) = try await planted(home)
        _ = try await hold(client, id, "before")

        var request = WireRequest()
        request.edit.id = id.wire
        request.edit.name = "Bondi Beach"
        request.edit.at = .with { ($0.lat, $0.lng) = (-33.9, 151.3) }
        try client.write(try Command(request))
        #expect(try await hold(client, id, "edit").name == "Bondi Beach")

        try client.write(.editNote(note, text: "Mind the rip, and the sun."))
        #expect(try await hold(client, id, "edited note").notes[0].text == "Mind the rip, and the sun.")

        let second = try #require(try client.write(.addNote(id, text: "Crowded.")).note)
        #expect(try await hold(client, id, "second note").notes.count == 2)
        try client.write(.removeNote(second))
        #expect(try await hold(client, id, "removed note").notes.count == 1)

        try client.send(.ingest(batch("seed", [("1", try draft("Bondi", rating: 5))])))
        #expect(try await hold(client, id, "ingest").rating == 5)

        // Nothing to do is still nothing to do, and the change that removes it tells subscribers all that it was.
        #expect(try client.write(try Command(request)).isUnchanged)
        try client.write(.remove(id, ifVersion: nil))
        let removal = try #require(client.changes.last)
        #expect(try WireChange(serializedBytes: removal.bytes).landmark.unknownFields.data == Data(Self.later))
        client.engine.close()
    }

    /// What a client of the release before sends: its fields, and none of the attributes that came later.
    @Test("an edit by a client of the release before keeps opening hours, address, phone and number of ratings")
    func olderClient() async throws {
        let client = try EngineClient(.memory)
        var later = Attributes(kind: "pool", link: "https://a.example", rating: 4)
        try later.set(.openingHours, to: "Mo-Fr 09:00-17:00; PH off")
        try later.set(.address, to: "1 Notts Avenue, Bondi")
        try later.set(.phone, to: "+61 2 9130 3120")
        try later.set(.ratings, to: "212")
        let here = try Coordinate(latitude: -33.8951, longitude: 151.2745)
        try client.write(.add(try LandmarkDraft(name: "Icebergs", coordinate: here, attributes: later), note: nil))
        let id = try #require(try await client.all().first?.id)
        var request = WireRequest()
        (request.edit.id, request.edit.name, request.edit.clear) = (id.wire, "Bondi Icebergs", [5])
        try client.write(try Command(request))
        later.kind = ""
        let landmark = try await client.landmark(id)
        #expect(landmark.name == "Bondi Icebergs" && landmark.attributes == later)
        client.engine.close()
    }

    @Test("the domain's form and the two encodings agree on them")
    func encodings() throws {
        var wire = try WireLandmark(serializedBytes: Self.later)
        (wire.id, wire.name) = (UUIDv7(high: 1, low: 2).wire, "Bondi")
        wire.source = try WireSourceKey(serializedBytes: Self.later)
        wire.notes = [try WireNote(serializedBytes: UUIDv7(high: 3, low: 4).encodedID + Self.later)]
        let bytes: [UInt8] = try wire.serializedBytes()
        let landmark = try Landmark(wire)
        #expect(landmark.later == Self.later && landmark.notes[0].later == Self.later)
        #expect(landmark.encoded == bytes)
        #expect(WireLandmark(landmark) == wire)
    }
}

extension UUIDv7 {
    fileprivate var encodedID: [UInt8] {
        var wire = WireWriter()
        wire.id(NoteField.id, self)
        return wire.bytes
    }
}
