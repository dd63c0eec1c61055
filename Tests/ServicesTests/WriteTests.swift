// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import SwiftProtobuf
import TestSupport
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol

@Suite("Writes, through both services", .inTurn)
struct WriteTests {
    static func draft(_ name: String = "Bondi Beach") throws -> LandmarkDraft {
        try LandmarkDraft(name: name, coordinate: try Coordinate(latitude: -33.889967, longitude: 151.276440))
    }

    /// The code of the refusal that `body` throws.
    static func refusal(_ body: () async throws -> Void) async throws -> ErrorCode? {
        do {
            try await body()
            return nil
        } catch ClientError.refused(let error) {
            #expect(!error.message.isEmpty)
            return error.code
        }
    }

    @Test("edit, note and remove, each one revision, in the history of the landmark")
    func life() async throws {
        try await withPair { pair, client in
            let added = try await client.add(Self.draft(), note: "First")
            #expect(added.rev == 1 && added.version == 1)
            let edited = try await client.edit(
                added.id, try LandmarkEdit(name: "Bondi", attributes: .init(kind: "Beach")), ifVersion: 1)
            #expect(edited.rev == 2 && edited.version == 2)
            let same = try await client.edit(added.id, try LandmarkEdit(name: "Bondi"))
            #expect(same.isUnchanged && same.rev == 2)
            let note = try await client.addNote(to: added.id, "Second")
            let second = try #require(note.note)
            _ = try await client.editNote(second, "Second, better")
            let shown = try await client.show(added.id)
            #expect(shown.landmark.notes.map(\.text) == ["First", "Second, better"])
            #expect(shown.landmark.kind == "beach")
            #expect(shown.entries.map(\.operation) == [.noted, .noted, .changed, .added])
            #expect(shown.entries.map(\.rev) == [4, 3, 2, 1])
            _ = try await client.removeNote(second)
            _ = try await client.remove(added.id, ifVersion: shown.landmark.version + 1)
            #expect(try await Self.refusal { _ = try await client.show(added.id) } == .notFound)
            let (changes, through, head) = try await client.changes(
                after: Position(epoch: try await client.hello().position.epoch, rev: 0))
            #expect(changes.map(\.position.rev) == [1, 2, 3, 4, 5, 6] && through.rev == 6 && head == 6)
            #expect(changes.last?.operation == .removed && changes.last?.change.before?.notes.count == 1)
        }
    }

    @Test("a restored landmark is found again, with its history")
    func restored() async throws {
        try await withPair { pair, client in
            let id = try await client.add(Self.draft(), note: "First").id
            _ = try await client.remove(id)
            #expect(try await client.list(.byName).hits.isEmpty)
            let restored = try await client.restore(id)
            #expect(restored.rev == 3 && restored.version == 2 && !restored.isUnchanged)
            #expect(try await client.list(.byName).hits.map(\.landmark.id) == [id])
            let shown = try await client.show(id)
            #expect(shown.entries.map(\.operation) == [.added, .removed, .added])
            #expect(shown.landmark.notes.map(\.text) == ["First"])
            #expect(try await client.restore(id).isUnchanged)
            let nobody = UUIDv7(high: 7, low: 7)
            #expect(try await Self.refusal { _ = try await client.restore(nobody) } == .notFound)
        }
    }

    @Test(
        "every attribute is set and cleared by edits, each a change that the log holds", arguments: Attribute.allCases)
    func attributes(attribute: Attribute) async throws {
        var value = Attributes()
        switch attribute.form {
        case .text: try value.set(attribute, to: "x")
        case .number(_, let range): try value.set(attribute, to: "\(range.lowerBound)")
        }
        let (set, clear) = (
            try LandmarkEdit(attributes: value), try LandmarkEdit(attributes: Attributes(), cleared: [attribute])
        )
        try await withPair { pair, client in
            let added = try await client.add(Self.draft())
            #expect(try await client.edit(added.id, set).rev == 2)
            #expect(try await client.show(added.id).landmark.attributes == value)
            #expect(try await client.edit(added.id, set).isUnchanged)
            #expect(try await client.edit(added.id, clear).rev == 3)
            #expect(try await client.show(added.id).landmark.attributes == Attributes())
            let (changes, _, _) = try await client.changes(
                after: Position(epoch: try await client.hello().position.epoch, rev: 1))
            #expect(changes.map(\.change.landmark.attributes) == [value, Attributes()])
            #expect(changes.map { $0.change.before?.attributes } == [Attributes(), value])
        }
    }

    @Test("bad input is refused with its code, and nothing is changed")
    func badInput() async throws {
        try await withPair { pair, client in
            let added = try await client.add(Self.draft())
            let nobody = UUIDv7(high: 7, low: 7)
            let rename = try LandmarkEdit(name: "New")
            #expect(
                try await Self.refusal { _ = try await client.edit(added.id, rename, ifVersion: 9) } == .versionMismatch
            )
            #expect(try await Self.refusal { _ = try await client.edit(nobody, rename) } == .notFound)
            #expect(try await Self.refusal { _ = try await client.remove(nobody) } == .notFound)
            #expect(try await Self.refusal { _ = try await client.addNote(to: nobody, "x") } == .notFound)
            #expect(try await Self.refusal { _ = try await client.editNote(nobody, "x") } == .notFound)
            let long = String(repeating: "n", count: 10_001)
            #expect(try await Self.refusal { _ = try await client.addNote(to: added.id, long) } == .invalid)
            #expect(try await Self.refusal { _ = try await client.addNote(to: added.id, " ") } == .invalid)
            for (name, lat, lng) in [
                ("", 0.0, 0.0), (String(repeating: "x", count: 201), 0, 0), ("x", 91, 0), ("x", .nan, 0),
                ("x", 0, .infinity),
            ] {
                let request = WireRequest.with {
                    $0.add = .with {
                        $0.draft = .with {
                            $0.name = name
                            $0.lat = lat
                            $0.lng = lng
                        }
                    }
                }
                #expect(
                    try await Self.refusal { _ = try await client.send(request) } == .invalid, "\(name) \(lat) \(lng)")
            }
            let nameless = try await pair.client(user: "")
            #expect(try await Self.refusal { _ = try await nameless.add(Self.draft()) } == .invalid)
            await nameless.close()
            #expect(try await storageStatus(client).head == 1)
        }
    }

    @Test("a user cannot edit another user's note")
    func othersNotes() async throws {
        try await withPair { pair, client in
            let added = try await client.add(Self.draft(), note: "Armando's")
            let note = try #require(try await client.show(added.id).landmark.notes.first)
            let bea = try await pair.client(user: "bea")
            #expect(try await Self.refusal { _ = try await bea.editNote(note.id, "Bea's") } == .denied)
            #expect(try await Self.refusal { _ = try await bea.removeNote(note.id) } == .denied)
            _ = try await bea.addNote(to: added.id, "Bea's own")
            #expect(try await client.show(added.id).landmark.notes.map(\.user) == ["armando", "bea"])
            await bea.close()
        }
    }

    @Test("longitudes beyond 180 are normalised")
    func normalised() async throws {
        try await withPair { pair, client in
            let draft = try LandmarkDraft(name: "Far", coordinate: try Coordinate(latitude: 1, longitude: 541))
            let id = try await client.add(draft).id
            #expect(try await client.show(id).landmark.coordinate.longitude == -179)
        }
    }

    @Test("the same request through another service gets the same answer and is done once")
    func sentAgain() async throws {
        try await withPair(.ipc) { pair, client in
            let (bondi, elsewhere) = (try Self.draft(), try Self.draft("Other"))
            let request = WireRequest.with { $0.add = .with { $0.draft = WireLandmarkDraft(bondi) } }
            var answers: Set<WireReply> = []
            for endpoint in [pair.endpoint, pair.endpoint, pair.storageEndpoint, pair.endpoint] {
                let peer = RawPeer()
                try await peer.open(endpoint, context: pair.context)
                answers.insert(try await peer.ask(request, RawPeer.header(1)).1)
                await peer.close()
            }
            #expect(answers.count == 1)
            #expect(try await storageStatus(client).head == 1)
            let peer = RawPeer()
            try await peer.open(pair.endpoint, context: pair.context)
            let other = WireRequest.with { $0.add = .with { $0.draft = WireLandmarkDraft(elsewhere) } }
            let (_, conflict) = try await peer.ask(other, RawPeer.header(1))
            #expect(conflict.failure.code == ErrorCode.requestConflict.rawValue)
            await peer.close()
            #expect(try await storageStatus(client).head == 1)
        }
    }
}
