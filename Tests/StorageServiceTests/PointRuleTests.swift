// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import Geodesy
import Landmarks
import TestPostgreSQL
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol
import ZeroMQ

@testable import EngineParts
@testable import StorageRules

@Suite("Points and ends", .computing)
struct PointRuleTests {
    @Test("points come late, twice and out of order: each is once in the track, and only a newer one moves")
    func points() async throws {
        let stage = try HookStage(.memory)
        let ann = Caller.anyone(user: "ann")
        let id = try stage.landmark("boat", by: ann)
        let first = try stage.send(People.points([30, 10, 20, 10], of: id), by: ann).pointsAdded
        #expect(first.added == 3 && first.known == 1 && first.rev == 2 && first.landmark == id.wire)
        let late = try stage.send(People.points([25, 5, 30], of: id), by: ann).pointsAdded
        #expect(late.added == 2 && late.known == 1 && late.rev == 0)
        #expect(try await stage.track(id) == [5, 10, 20, 25, 30])
        #expect(try await stage.client.landmark(id).coordinate.latitude == 0.03)
        #expect(stage.client.engine.position.rev == 2)
        let page = try await stage.client.engine.reader.track(id, since: 0, after: 0, limit: 9)
        #expect(page.points.allSatisfy { $0.accuracy == 5 && !$0.hasSpeed && $0.rev == 2 })
        // Those without a possible time or place are counted, and the others are taken.
        var add = WireAddPoints.with { $0.landmark = id.wire }
        let times: [(UInt64, Double)] = [
            (946_684_799_999, 1), (stage.client.now + 86_400_001, 1), (People.start + 40_000, 91),
            (People.start + 50_000, 1),
        ]
        add.points = times.map { time in .with { ($0.at, $0.lat) = time } }
        let mixed = try stage.send(.addPoints(PointBatch(add)), by: ann).pointsAdded
        #expect(mixed.added == 1 && mixed.refused == 3 && mixed.rev == 3)
    }

    @Test("5,000 points in bad order, some of them twice, are one track", arguments: Home.allCases)
    func many(home: Home) async throws {
        let stage = try HookStage(home)
        let ann = Caller.anyone(user: "ann")
        let id = try stage.landmark("boat", by: ann)
        var random = SplitMix64(seed: 43)
        let order = (0..<5_000).shuffled(using: &random)
        for begin in stride(from: 0, to: 5_000, by: 500) {
            let batch = Array(order[begin..<begin + 500]) + order[..<50]
            #expect(try stage.send(People.points(batch, of: id), by: ann).pointsAdded.refused == 0)
        }
        #expect(try await stage.track(id) == Array(0..<5_000))
        #expect(try await stage.client.landmark(id).coordinate.latitude == 4.999)
    }

    @Test("a track that has too many points loses its oldest")
    func mostPoints() throws {
        let memory = MemoryTables()
        let rules = PointRules(memory.tables, most: 20, uncounted: 10)
        for time in UInt64(1)...35 {
            try rules.store(
                [TrackPoint(rev: 1, at: time, coordinate: Coordinate(latitude: 1, longitude: 1))], of: 7, now: 0)
        }
        #expect(memory.rows.points[7]?.keys.min() == 11 && memory.rows.points[7]?.count == 25)
    }

    @Test("a landmark with an end is removed at its time, as an ordinary revision", arguments: Home.allCases)
    func expiry(home: Home) async throws {
        let stage = try HookStage(home)
        let ann = Caller.anyone(user: "ann")
        let end = stage.client.now + 1_000
        let id = try Receipt(stage.send(.add(draft("market"), note: nil, expires: end), by: ann)).id
        let other = try Receipt(stage.send(.add(draft("other"), note: nil, expires: end), by: ann)).id
        #expect(try stage.refusal(.add(draft("late"), note: nil, expires: end - 1_000), by: ann) == .invalid)
        _ = try stage.send(.edit(id, LandmarkEdit(name: "fair", attributes: Attributes()), ifVersion: nil), by: ann)
        _ = try stage.send(.remove(other, ifVersion: nil), by: ann)
        _ = try stage.send(.restore(other), by: ann)
        func hasExpired(_ now: UInt64) throws -> Bool {
            try stage.client.engine.upkeep.isDue { tables in try tables.hasExpired(now: now) }
        }
        #expect(try !hasExpired(end - 1) && hasExpired(end))
        #expect(try stage.refusal(.removeExpired, by: HookStage.account(1, .admin)) == .notFound)
        if home == .disk { try stage.client.reopen() }
        stage.client.now = end
        _ = try stage.send(.removeExpired, by: .machine)
        #expect(try await stage.client.all().map(\.id) == [other])
        #expect(stage.client.changes.last?.operation == .removed)
        #expect(try !hasExpired(.max >> 1))
    }

    @Test("people erase their own tracks, a part or all of them")
    func erasure() async throws {
        let stage = try HookStage(.memory)
        let (ann, bob, _) = try stage.people()
        let (one, two, his) = (
            try stage.landmark("one", by: ann), try stage.landmark("two", by: ann), try stage.landmark("bob", by: bob)
        )
        for (id, owner) in [(one, ann), (two, ann), (his, bob)] {
            _ = try stage.send(People.points([1, 2, 3], of: id), by: owner)
        }
        func erase(_ caller: Caller, _ change: (inout WireEraseTrack) -> Void) throws -> WireReply {
            var erase = WireEraseTrack()
            change(&erase)
            return try stage.send(.eraseTrack(TrackErasure(erase)), by: caller)
        }
        #expect(try erase(bob) { $0.landmark = one.wire }.failure.code == ErrorCode.denied.rawValue)
        let part = try erase(ann) { ($0.landmark, $0.before) = (one.wire, People.start + 2_000) }
        #expect(part.trackErased.points == 1)
        #expect(try await stage.track(one) == [2, 3])
        var request = stage.client.request(.eraseTrack(try TrackErasure(WireEraseTrack())))
        request.caller = ann
        // A copy of the request erases nothing, and has the answer with the number of points.
        for _ in 0..<2 {
            let all = try stage.client.apply([request])[0].trackErased
            #expect(all.points == 5)
            #expect(all.next.isEmpty)
        }
        #expect(try erase(ann) { _ in }.trackErased.points == 0)
        #expect(try await stage.track(his) == [1, 2, 3])
        // An erased point may come again.
        #expect(try stage.send(People.points([2], of: one), by: ann).pointsAdded.added == 1)
    }
}
