// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import SwiftProtobuf
import TestTurns
import Testing
import WaymarkProtocol

@testable import StorageRules

@Suite("Landmarks are added, edited and removed", .inShortTurn)
struct LandmarkCommandTests {
    @Test(arguments: Home.allCases)
    func addedLandmarkIsThereAsGiven(home: Home) async throws {
        let client = try EngineClient(home)
        let receipt = try client.write(
            .add(draft("Bondi Beach", -33.8915, 151.2767, kind: "beach", link: "https://bondi.example"), note: "Surf"))
        #expect(receipt.rev == 1 && receipt.version == 1 && !receipt.isUnchanged)
        let landmark = try await client.landmark(receipt.id)
        #expect(landmark.name == "Bondi Beach" && landmark.kind == "beach" && landmark.link == "https://bondi.example")
        #expect(landmark.coordinate.latitude == -33.8915 && landmark.coordinate.longitude == 151.2767)
        #expect(landmark.user == "armando" && landmark.source == nil)
        #expect(landmark.version == 1 && landmark.rev == 1)
        #expect(landmark.created == client.now && landmark.updated == client.now)
        #expect(landmark.notes == [Note(id: try #require(receipt.note), text: "Surf", user: "armando", at: client.now)])
        #expect(client.engine.position.rev == 1)
    }

    @Test(arguments: Home.allCases)
    func editTouchesOnlyWhatItNames(home: Home) async throws {
        let client = try EngineClient(home)
        let added = try client.add("Bondi")
        client.now += 5_000
        let edited = try client.write(
            .edit(added.id, LandmarkEdit(name: "Bondi Beach", attributes: .init(kind: "beach")), ifVersion: 1),
            user: "berta")
        #expect(edited.rev == 2 && edited.version == 2 && edited.id == added.id)
        let landmark = try await client.landmark(added.id)
        #expect(landmark.name == "Bondi Beach" && landmark.kind == "beach")
        #expect(landmark.coordinate.latitude == -33.85 && landmark.user == "armando")
        #expect(landmark.created == client.now - 5_000 && landmark.updated == client.now)
    }

    @Test(arguments: Home.allCases)
    func editThatChangesNothingMakesNoRevision(home: Home) throws {
        let client = try EngineClient(home)
        let added = try client.add("Bondi")
        try client.add("Manly")
        let edited = try client.write(.edit(added.id, LandmarkEdit(name: "Bondi"), ifVersion: nil))
        #expect(edited.isUnchanged && edited.rev == 1 && edited.version == 1)
        #expect(client.engine.position.rev == 2 && client.changes.count == 2)
    }

    @Test(arguments: Home.allCases)
    func removedLandmarkIsGoneWithItsNotes(home: Home) async throws {
        let client = try EngineClient(home)
        let added = try client.add("Bondi", note: "Surf")
        let removed = try client.write(.remove(added.id, ifVersion: 1), user: "berta")
        #expect(removed.rev == 2)
        #expect(try await client.all().isEmpty)
        #expect(try client.refused(.editNote(try #require(added.note), text: "Gone"), user: "armando") == .notFound)
        await #expect(throws: EngineError.notFound) { try await client.landmark(added.id) }
        let change = try #require(client.decodedChanges.last)
        #expect(change.operation == .removed && change.user == "berta")
        #expect(change.landmark.name == "Bondi" && change.landmark.rev == 1 && change.before == change.landmark)
    }

    @Test(arguments: Home.allCases)
    func refusalsChangeNothing(home: Home) async throws {
        let client = try EngineClient(home)
        let added = try client.add("Bondi")
        let unknown = UUIDv7(high: added.id.high, low: added.id.low ^ 1)
        let edit = try LandmarkEdit(name: "Other")
        #expect(try client.refused(.edit(unknown, edit, ifVersion: nil)) == .notFound)
        #expect(try client.refused(.remove(UUIDv7(high: .max, low: .max), ifVersion: nil)) == .notFound)
        #expect(try client.refused(.edit(added.id, edit, ifVersion: 2)) == .versionMismatch)
        #expect(try client.refused(.remove(added.id, ifVersion: 7)) == .versionMismatch)
        #expect(try client.refused(.add(draft("Nobody's"), note: nil), user: "") == .invalid)
        #expect(try client.refused(.edit(added.id, edit, ifVersion: nil), user: " ") == .invalid)
        #expect(try client.refused(.remove(added.id, ifVersion: nil), user: "") == .invalid)
        #expect(try client.refused(.addNote(added.id, text: "x"), user: "") == .invalid)
        #expect(client.engine.position.rev == 1)
        #expect(try await client.all().map(\.name) == ["Bondi"])
    }

    @Test func wrongVersionTellsTheCurrentOne() throws {
        let client = try EngineClient(.memory)
        let added = try client.add("Bondi")
        try client.write(.edit(added.id, LandmarkEdit(name: "Bondi Beach"), ifVersion: nil))
        let reply = try client.send(.remove(added.id, ifVersion: 1))
        #expect(reply.failure.version == 2)
    }

    @Test(arguments: Home.allCases)
    func landmarkWithItsNotesHasALimit(home: Home) async throws {
        let client = try EngineClient(home)
        let added = try client.add("Bondi")
        let text = String(repeating: "\u{1F3D6}", count: 9_000)
        var refusals: [ErrorCode] = []
        for _ in 0..<20 {
            if let code = try client.refused(.addNote(added.id, text: text)) { refusals.append(code) }
        }
        #expect(Set(refusals) == [.tooLarge])
        let landmark = try await client.landmark(added.id)
        #expect(landmark.notes.count == 20 - refusals.count && landmark.notes.count == 3)
        #expect(client.engine.position.rev == UInt64(1 + landmark.notes.count))
        // Bounds what a change carries: the landmark before and after.
        #expect(client.changes.allSatisfy { $0.bytes.count <= 2 * LandmarkRules.grownBytes + 1_024 })
        // There is room again after one has gone.
        try client.write(.removeNote(landmark.notes[0].id))
        try client.write(.addNote(added.id, text: text))
    }

    @Test(arguments: Home.allCases)
    func idsGrowAlsoWhenTheClockStepsBackAcrossARestart(home: Home) throws {
        let client = try EngineClient(home)
        var last = try client.add("first", note: "with a note").note
        for step in 0..<3 {
            client.now -= 1_000_000
            if home == .disk { try client.reopen() }
            let id = try client.add("\(step)").id
            #expect(try #require(last) < id)
            last = id
        }
    }

    @Test("an id that was removed is not given again, whatever the clock says after a restart")
    func removedIDs() throws {
        let client = try EngineClient(.disk)
        let bearer = try client.add("first")
        for step in 0..<3 {
            client.now += 5_000_000
            let removed = try client.add("newest")
            try client.write(.remove(removed.id, ifVersion: nil))
            let note = try #require(try client.write(.addNote(bearer.id, text: "gone")).note)
            try client.write(.removeNote(note))
            client.now -= 9_000_000
            try client.reopen()
            let next = try client.add("\(step)")
            #expect(removed.id.high < next.id.high && note.high < next.id.high)
            try client.write(.remove(next.id, ifVersion: nil))
        }
    }
}

extension EngineClient {
    var decodedChanges: [Change] {
        get throws { try changes.map { try Change(encoded: $0.bytes) } }
    }
}
