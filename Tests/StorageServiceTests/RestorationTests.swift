// SPDX-License-Identifier: Apache-2.0

import Accounts
import Geodesy
import Landmarks
import TestTurns
import Testing
import WaymarkProtocol

@testable import StorageRules

@Suite("A removal is undone", .inShortTurn)
struct RestorationTests {
    private static func command(_ id: Landmark.ID) throws -> Command {
        try Command(.with { $0.restore.id = id.wire })
    }

    @Test("all comes back: id, owner, dates, attributes, notes, track and history", arguments: Home.allCases)
    func whole(home: Home) async throws {
        let client = try EngineClient(home)
        let added = try client.write(.add(draft("Bondi", kind: "beach", rating: 4), note: "Surf"))
        let place = try Coordinate(latitude: -33.9, longitude: 151.3)
        try client.write(.move(added.id, to: place, at: nil))
        try client.write(.addNote(added.id, text: "Sand"), user: "berta")
        let before = try await client.landmark(added.id)
        client.now += 1_000
        try client.write(.remove(added.id, ifVersion: nil), user: "carla")
        #expect(try await client.search("bondi").isEmpty)
        try client.add("Manly")
        if home == .disk { try client.reopen() }
        client.now += 1_000
        let receipt = try client.write(Self.command(added.id), user: "dora")
        #expect(receipt.id == added.id && receipt.rev == 6 && receipt.version == 4 && !receipt.isUnchanged)
        var expected = before
        (expected.rev, expected.version, expected.updated) = (6, 4, client.now)
        #expect(try await client.landmark(added.id) == expected)
        #expect(try await client.all().map(\.name) == ["Bondi", "Manly"])
        #expect(try await client.search("sand") == ["Bondi"])
        // To subscribers it is new, by who restored it.
        let change = try #require(client.decodedChanges.last)
        #expect(change.operation == .added && change.user == "dora" && change.before == nil)
        #expect(change.landmark == expected)
        let history = try await client.engine.reader.show(added.id, historyLimit: 9).history
        #expect(history.map(\.rev) == [6, 4, 3, 2, 1] && history.map(\.version) == [4, 3, 3, 2, 1])
        let track = try await client.engine.reader.track(added.id, since: 0, after: 0, limit: 9).points
        #expect(track.map(\.rev) == [2])
        // Its notes are notes again.
        try client.write(.editNote(try #require(added.note), text: "Good surf"))
        try await client.expectSound()
        #expect(try await client.engine.reader.numbers().landmarks == 2)
    }

    @Test("what exists is left alone, also in one batch with its removals", arguments: Home.allCases)
    func twice(home: Home) async throws {
        let client = try EngineClient(home)
        let id = try client.add("Bondi", note: "Surf").id
        #expect(try client.write(Self.command(id)).isUnchanged)
        let commands = [Command.remove(id, ifVersion: nil), try Self.command(id), try Self.command(id)]
        let replies = try client.apply((commands + commands).map { client.request($0) })
        #expect(replies.map(\.written.rev) == [2, 3, 3, 4, 5, 5])
        #expect(replies.map(\.written.unchanged) == [false, false, true, false, false, true])
        #expect(replies.map(\.written.version) == [1, 2, 2, 2, 3, 3])
        #expect(try await client.landmark(id).notes.map(\.text) == ["Surf"])
        try await client.expectSound()
    }

    @Test("only what the log knows comes back", arguments: Home.allCases)
    func refusals(home: Home) async throws {
        let client = try EngineClient(home)
        let (first, second) = (try client.add("Bondi").id, try client.add("Manly").id)
        let other = UUIDv7(high: first.high, low: first.low ^ 1)
        for id in [first, second] { try client.write(.remove(id, ifVersion: nil)) }
        #expect(try client.refused(Self.command(other)) == .notFound)
        #expect(try client.refused(Self.command(UUIDv7(high: .max, low: .max))) == .notFound)
        #expect(try client.refused(Self.command(first), user: "") == .invalid)
        // Revision 3 is the removal of the first.
        _ = try client.engine.upkeep.compact(below: 4)
        #expect(try client.refused(Self.command(first)) == .notFound)
        #expect(try client.write(Self.command(second)).rev == 5)
        #expect(try client.integers("SELECT count(*) FROM removals") == [1])
    }

    @Test("a landmark of a source has its row again, unless the row is another's by now", arguments: Home.allCases)
    func ofASource(home: Home) async throws {
        let client = try EngineClient(home)
        func ingest(_ names: [String], vanished: [String] = []) throws -> WireIngestCounts {
            let rows = try names.map { ("k", try draft($0)) }
            return try client.send(.ingest(batch("seed", rows, vanished: vanished)), user: "").ingest.counts
        }
        _ = try ingest(["Bondi"])
        let id = try await client.all()[0].id
        // By a person, and the source has news of it since.
        try client.write(.remove(id, ifVersion: nil))
        #expect(try ingest(["Bondi Beach"]) == .counts(unchanged: 1))
        try client.write(Self.command(id))
        #expect(try ingest(["Bondi Beach"]) == .counts(changed: 1))
        #expect(try await client.landmark(id).name == "Bondi Beach")
        // By the source.
        #expect(try ingest([], vanished: ["k"]) == .counts(removed: 1))
        try client.write(Self.command(id))
        #expect(try ingest(["Bondi Beach"]) == .counts(unchanged: 1))
        #expect(try ingest([], vanished: ["k"]) == .counts(removed: 1))
        // The source has it as another landmark.
        #expect(try ingest(["Bondi"]) == .counts(added: 1))
        #expect(try client.refused(Self.command(id)) == .invalid)
        #expect(try await client.all().count == 1)
        try await client.expectSound()
    }

    @Test("who may remove may restore; an owner has the name of today", arguments: Home.allCases)
    func accounts(home: Home) async throws {
        let client = try EngineClient(home)
        func send(_ command: Command, _ number: UInt64, _ role: Role) throws -> WireReply {
            var request = client.request(command)
            request.caller = .account(Account(number: number, name: "n\(number)", role: role, isEnded: false))
            return try client.apply([request])[0]
        }
        for name in ["ann", "bob"] {
            var request = client.request(.account(.create(name: name, .user, nil)))
            request.caller = .machine
            _ = try client.apply([request])
        }
        let id = try Receipt(send(.add(draft("Bondi"), note: "Surf"), 1, .user)).id
        _ = try Receipt(send(.remove(id, ifVersion: nil), 9, .moderator))
        for (number, role) in [(UInt64(2), Role.user), (1, .reader), (2, .service)] {
            #expect(try send(Self.command(id), number, role).failure.code == ErrorCode.denied.rawValue)
        }
        var rename = client.request(
            .account(.change(account: "ann", role: nil, name: "anna", nil, ends: false)))
        rename.caller = .machine
        _ = try client.apply([rename])
        _ = try Receipt(send(Self.command(id), 1, .user))
        let landmark = try await client.landmark(id)
        #expect(landmark.account == 1 && landmark.user == "anna" && landmark.notes.map(\.user) == ["anna"])
        #expect(try send(Self.command(id), 2, .user).failure.code == ErrorCode.denied.rawValue)
    }

    @Test("a landmark of the largest size comes back, though its revision takes a byte more")
    func large() async throws {
        let client = try EngineClient(Home.allCases[0])
        let id = try client.add("Bondi").id
        func room() async throws -> Int {
            LandmarkRules.grownBytes - (try await client.engine.reader.show(id, historyLimit: 1).landmark.count)
        }
        var last: Note.ID?
        while try await room() > 5_000 {
            last = try client.write(.addNote(id, text: String(repeating: "n", count: 4_000))).note
        }
        let text = String(repeating: "n", count: 4_000 + (try await room()))
        try client.write(.editNote(try #require(last), text: text))
        #expect(try await room() == 0)
        for _ in 0..<60 {
            try client.write(.remove(id, ifVersion: nil))
            try client.write(Self.command(id))
        }
        #expect(try await room() == -1)
        try await client.expectSound()
    }
}
