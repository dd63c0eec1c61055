// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import SQLite
import TestPostgreSQL
import TestTurns
import Testing
import WaymarkProtocol

@testable import StorageRules

@Suite("Tracks of landmarks that move", .inShortTurn)
struct TrackTests {
    private static let start: UInt64 = 1_700_000_000_000

    private static func place(_ number: Int) throws -> Coordinate {
        try Coordinate(latitude: -33.85 + Double(number) / 10_000, longitude: 151.21)
    }

    private func points(
        _ client: EngineClient, _ id: Landmark.ID, since: UInt64 = 0, limit: Int = 10_000
    ) async throws -> [TrackPoint] {
        var (points, after) = ([TrackPoint](), UInt64?(0))
        while let time = after {
            let page = try await client.engine.reader.track(id, since: since, after: time, limit: limit)
            points += try page.points.map(TrackPoint.init)
            after = page.next == 0 ? nil : page.next
        }
        return points
    }

    /// A landmark that was moved once a second.
    private func moved(_ client: EngineClient, _ count: Int, at times: Bool = true) throws -> Landmark.ID {
        let id = try client.add("ann's boat").id
        for number in 0..<count {
            let time = times ? 500_000 + UInt64(number) * 1_000 : nil
            try client.write(.move(id, to: Self.place(number), at: time))
            client.now += 1_000
        }
        return id
    }

    @Test(arguments: Home.allCases)
    func aMoveIsARevisionAndAPoint(home: Home) async throws {
        let client = try EngineClient(home)
        let id = try client.add("ann's boat").id
        // The same place twice: it is still there.
        let receipts = try [1, 2, 2].map { try client.write(.move(id, to: Self.place($0), at: UInt64($0) * 7)) }
        #expect(receipts.map(\.rev) == [2, 3, 4] && receipts.map(\.version) == [2, 3, 4])
        #expect(receipts.allSatisfy { !$0.isUnchanged })
        let found = try await points(client, id)
        // The later of two moves of one time is the track's point.
        #expect(found.map(\.rev) == [2, 4] && found.map(\.at) == [7, 14])
        #expect(try found.map(\.coordinate) == [Self.place(1), Self.place(2)])
        #expect(try await client.landmark(id).coordinate == Self.place(2))
        #expect(client.changes.map(\.operation) == [.added, .changed, .changed, .changed])
        // An edit moves it without a point.
        try client.write(.edit(id, LandmarkEdit(coordinate: Self.place(9)), ifVersion: nil))
        #expect(try await points(client, id).count == 2)
        // A late one is a point, and moves nothing.
        let late = try client.write(.move(id, to: Self.place(5), at: 9))
        #expect(late.isUnchanged && late.rev == 5)
        #expect(try await client.landmark(id).coordinate == Self.place(9))
        #expect(try await points(client, id).map(\.at) == [7, 9, 14])
        if home == .disk {
            try client.reopen()
            #expect(try await points(client, id).map(\.rev) == [2, 5, 4])
        }
        // Nor does a late one in the batch of a newer one.
        _ = try client.apply([
            client.request(.move(id, to: Self.place(8), at: nil)),
            client.request(.move(id, to: Self.place(3), at: client.now - 3_600_000)),
        ])
        #expect(try await client.landmark(id).coordinate == Self.place(8))
        #expect(try await points(client, id).count == 5)
    }

    @Test func withoutATimeItIsTheRevisions() async throws {
        let client = try EngineClient(.memory)
        let id = try moved(client, 2, at: false)
        #expect(try await points(client, id).map(\.at) == [Self.start, Self.start + 1_000])
    }

    @Test func aRepeatedRequestAddsOnePoint() async throws {
        let client = try EngineClient(.memory)
        let id = try client.add("x").id
        let request = client.request(.move(id, to: try Self.place(1), at: nil))
        #expect(try client.apply([request]) == client.apply([request]))
        #expect(try await points(client, id).count == 1)
    }

    @Test func pagesAndSince() async throws {
        let client = try EngineClient(.memory)
        let id = try moved(client, 25)
        _ = try moved(client, 3)
        let all = try await points(client, id)
        #expect(all.count == 25)
        for limit in [1, 7, 25] { #expect(try await points(client, id, limit: limit) == all) }
        #expect(try await points(client, id, since: 510_000, limit: 4) == Array(all[10...]))
        #expect(try await client.engine.reader.track(id, since: 0, after: .max, limit: 9).points.isEmpty)
        let last = try await client.engine.reader.track(id, since: 0, after: all[24].at, limit: 9)
        #expect(last.points.isEmpty && last.next == 0)
    }

    @Test func refusals() async throws {
        let client = try EngineClient(.memory)
        let id = try client.add("x").id
        let unknown = UUIDv7(high: id.high, low: id.low ^ 1)
        #expect(try client.refused(.move(unknown, to: Self.place(1), at: nil)) == .notFound)
        #expect(try client.refused(.move(id, to: Self.place(1), at: nil), user: "") == .invalid)
        await #expect(throws: EngineError.notFound) { try await points(client, unknown) }
        try client.write(.remove(id, ifVersion: nil))
        await #expect(throws: EngineError.notFound) { try await points(client, id) }
        let wire = WireRequest.with { $0.move = .with { ($0.id, $0.time) = (id.wire, 1) } }
        let nowhere = #expect(throws: ServiceError.self) { try Command(wire) }
        #expect(nowhere?.code == .invalid)
        var late = wire
        late.move.at = .with { $0.lat = 1 }
        #expect(try Command(late) == .move(id, to: Coordinate(latitude: 1, longitude: 0), at: 1))
        late.move.time = UnixTime.latest + 1
        let tooLate = #expect(throws: ServiceError.self) { try Command(late) }
        #expect(tooLate?.code == .invalid)
    }

    private func rows(_ client: EngineClient) throws -> Int {
        try client.sqlite.probe { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM track_points") } ?? 0
    }

    @Test(.onSQLite("looks into SQLite's file"), arguments: Home.allCases)
    func oldPointsGoAndTheLogDoesNotMatter(home: Home) async throws {
        let client = try EngineClient(home)
        let (one, two) = (try moved(client, 10, at: false), try moved(client, 10, at: false))
        _ = try await client.search("boat")
        _ = try client.engine.upkeep.compact(below: 22)
        #expect(try await points(client, one).count == 10)
        // The first was moved at start ..< start + 10 s, the second in the ten seconds after. A point of exactly the age
        // stays.
        let now = Self.start + 20_000
        #expect(try client.engine.upkeep.sweepTracks(age: .zero, now: now) == 0)
        #expect(try client.engine.upkeep.sweepTracks(age: .seconds(20), now: now) == 0)
        #expect(try client.engine.upkeep.sweepTracks(age: .seconds(15), now: now) == 5)
        #expect(try await points(client, one).count == 5)
        #expect(try client.engine.upkeep.sweepTracks(age: .seconds(4), now: now) == 11)
        #expect(try await points(client, one).isEmpty)
        #expect(try await points(client, two).count == 4)
        #expect(try client.engine.upkeep.sweepTracks(age: .seconds(4), now: now) == 0)
        #expect(try rows(client) == 4)
    }

    @Test func aPointOfTheFutureHoldsNobodyUp() async throws {
        let client = try EngineClient(.memory)
        let id = try moved(client, 3, at: false)
        client.now += 900_000_000
        try client.write(.move(id, to: Self.place(7), at: nil))
        client.now = Self.start + 3_000
        for number in 0..<3 {
            #expect(try !client.write(.move(id, to: Self.place(number), at: client.now)).isUnchanged)
            client.now += 1_000
        }
        #expect(try await client.landmark(id).coordinate == Self.place(2))
        #expect(try client.engine.upkeep.sweepTracks(age: .seconds(1), now: Self.start + 5_500) == 5)
        #expect(try await points(client, id).map(\.at) == [Self.start + 5_000, Self.start + 900_003_000])
        #expect(try client.refused(.move(id, to: Self.place(1), at: client.now + 86_400_001)) == .invalid)
    }

    @Test(.onSQLite("looks into SQLite's file")) func tracksOfRemovedLandmarksGoInTurns() async throws {
        let client = try EngineClient(.memory)
        var ids: [Landmark.ID] = []
        for number in 0..<150 {
            ids.append(try client.add("\(number)").id)
            try client.write(.move(ids[number], to: Self.place(number), at: nil))
        }
        for id in ids.dropLast(10) { try client.write(.remove(id, ifVersion: nil)) }
        // As long as the log knows the removals, they can be undone.
        for _ in 0..<3 { #expect(try client.engine.upkeep.sweepTracks(age: .zero, now: client.now) == 0) }
        _ = try client.engine.upkeep.compact(below: try client.add("last").rev)
        var deleted: [Int] = []
        for _ in 0..<4 { deleted.append(try client.engine.upkeep.sweepTracks(age: .zero, now: client.now)) }
        #expect(deleted == [64, 64, 12, 0])
        #expect(try rows(client) == 10)
    }

    @Test func aLongTrackGoesInParts() async throws {
        let client = try EngineClient(.memory)
        let id = try client.add("x").id
        for number in 0..<45 {
            _ = try client.apply(
                (0..<100).map { place in
                    let time = Self.start + UInt64(100 * number + place)
                    return client.request(.move(id, to: try Self.place(number), at: time))
                })
        }
        #expect(try await points(client, id).count == 4_500)
        client.now += 10_000
        var deleted: [Int] = []
        for _ in 0..<4 { deleted.append(try client.engine.upkeep.sweepTracks(age: .seconds(1), now: client.now)) }
        #expect(deleted == [2_000, 2_000, 500, 0])
    }
}
