// SPDX-License-Identifier: Apache-2.0

import Landmarks
import TestTurns
import Testing
import WaymarkProtocol

@testable import StorageRules

@Suite("Notes are written by many on any landmark", .inShortTurn)
struct NoteCommandTests {
    @Test(arguments: Home.allCases)
    func notesComeAndGo(home: Home) async throws {
        let client = try EngineClient(home)
        let added = try client.add("Bondi")
        let first = try client.write(.addNote(added.id, text: "Surf"), user: "armando")
        let second = try client.write(.addNote(added.id, text: "Sand"), user: "berta")
        #expect(second.rev == 3 && second.version == 3 && second.id == added.id)
        client.now += 1_000
        try client.write(.editNote(try #require(first.note), text: "Good surf"), user: "armando")
        var landmark = try await client.landmark(added.id)
        #expect(landmark.notes.map(\.text) == ["Good surf", "Sand"])
        #expect(landmark.notes.map(\.user) == ["armando", "berta"])
        #expect(landmark.notes[0].at == client.now && landmark.updated == client.now)
        try client.write(.removeNote(try #require(first.note)), user: "armando")
        landmark = try await client.landmark(added.id)
        #expect(landmark.notes.map(\.text) == ["Sand"] && landmark.version == 5)
        #expect(try client.decodedChanges.map(\.operation) == [.added, .noted, .noted, .noted, .noted])
    }

    @Test(arguments: Home.allCases)
    func onlyItsAuthorChangesANote(home: Home) async throws {
        let client = try EngineClient(home)
        let added = try client.add("Bondi", note: "Surf")
        let note = try #require(added.note)
        #expect(try client.refused(.editNote(note, text: "Sand"), user: "berta") == .denied)
        #expect(try client.refused(.removeNote(note), user: "berta") == .denied)
        #expect(try client.refused(.removeNote(note), user: "") == .invalid)
        #expect(try await client.landmark(added.id).notes.map(\.text) == ["Surf"])
        #expect(client.engine.position.rev == 1)
    }

    @Test(arguments: Home.allCases)
    func unknownNotesAndLandmarksAreRefused(home: Home) throws {
        let client = try EngineClient(home)
        let added = try client.add("Bondi", note: "Surf")
        let note = try #require(added.note)
        let other = UUIDv7(high: note.high, low: note.low ^ 1)
        #expect(try client.refused(.addNote(other, text: "x")) == .notFound)
        #expect(try client.refused(.editNote(other, text: "x")) == .notFound)
        #expect(try client.refused(.editNote(added.id, text: "x")) == .notFound)
        let second = try client.add("Manly")
        #expect(try client.refused(.editNote(note, text: "x", on: second.id)) == .notFound)
        #expect(try client.refused(.removeNote(note, on: second.id)) == .notFound)
        try client.write(.editNote(note, text: "Waves", on: added.id))
        try client.write(.removeNote(note))
        #expect(try client.refused(.removeNote(note)) == .notFound)
    }

    @Test(arguments: Home.allCases)
    func sameTextMakesNoRevision(home: Home) throws {
        let client = try EngineClient(home)
        let added = try client.add("Bondi", note: "Surf")
        #expect(try client.write(.editNote(try #require(added.note), text: "Surf")).isUnchanged)
        #expect(client.engine.position.rev == 1)
    }
}
