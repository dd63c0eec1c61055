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

@Suite("Grants, points and ends", .computing)
struct PeopleRuleTests {
    private static let start: UInt64 = 1_700_000_000_000

    private static func digest(_ number: UInt8) -> Data { Data(repeating: number, count: 32) }

    private static func grant(
        _ number: UInt8, _ id: Landmark.ID?, _ change: (inout WireAddGrant) -> Void = { _ in }
    ) throws -> Command {
        var add = WireAddGrant.with { ($0.kind, $0.digest, $0.label) = (.move, digest(number), "phone") }
        add.landmark = id?.wire ?? Data()
        change(&add)
        return .addGrant(try GrantRules.checked(add))
    }

    /// Points at seconds after the start, each as far north as its time.
    private static func points(
        _ seconds: [Int], of id: Landmark.ID? = nil, grant: UInt8? = nil
    ) throws -> Command {
        var add = WireAddPoints()
        add.landmark = id?.wire ?? Data()
        add.grant = grant.map(digest) ?? Data()
        add.points = seconds.map { second in
            .with {
                $0.at = UInt64(Int(start) + second * 1_000)
                ($0.lat, $0.lng, $0.accuracy) = (Double(second) / 1_000, 2, 5)
            }
        }
        return .addPoints(try PointBatch(add))
    }

    private func track(_ stage: HookStage, _ id: Landmark.ID) async throws -> [Int] {
        let page = try await stage.client.engine.reader.track(id, since: 0, after: 0, limit: 10_000)
        return page.points.map { (Int($0.at) - Int(Self.start)) / 1_000 }
    }

    private func add(_ stage: HookStage, _ name: String, by caller: Caller) throws -> Landmark.ID {
        try Receipt(stage.send(.add(draft(name), note: nil), by: caller)).id
    }

    private func people(_ stage: HookStage) throws -> (ann: Caller, bob: Caller, mod: Caller) {
        for (name, role) in [("n1", Role.user), ("n2", .user), ("n3", .moderator)] {
            _ = try stage.send(.account(.create(name: name, role, nil)), by: .machine)
        }
        return (HookStage.account(1, .user), HookStage.account(2, .user), HookStage.account(3, .moderator))
    }

    private static let service = HookStage.account(99, .service)

    // MARK: Points

    @Test("points come late, twice and out of order: each is once in the track, and only a newer one moves")
    func points() async throws {
        let stage = try HookStage(.memory)
        let ann = Caller.anyone(user: "ann")
        let id = try add(stage, "boat", by: ann)
        let first = try stage.send(Self.points([30, 10, 20, 10], of: id), by: ann).pointsAdded
        #expect(first.added == 3 && first.known == 1 && first.rev == 2 && first.landmark == id.wire)
        let late = try stage.send(Self.points([25, 5, 30], of: id), by: ann).pointsAdded
        #expect(late.added == 2 && late.known == 1 && late.rev == 0)
        #expect(try await track(stage, id) == [5, 10, 20, 25, 30])
        #expect(try await stage.client.landmark(id).coordinate.latitude == 0.03)
        #expect(stage.client.engine.position.rev == 2)
        let page = try await stage.client.engine.reader.track(id, since: 0, after: 0, limit: 9)
        #expect(page.points.allSatisfy { $0.accuracy == 5 && !$0.hasSpeed && $0.rev == 2 })
        // Those without a possible time or place are counted, and the others are taken.
        var add = WireAddPoints.with { $0.landmark = id.wire }
        let times: [(UInt64, Double)] = [
            (946_684_799_999, 1), (stage.client.now + 86_400_001, 1), (Self.start + 40_000, 91),
            (Self.start + 50_000, 1),
        ]
        add.points = times.map { time in .with { ($0.at, $0.lat) = time } }
        let mixed = try stage.send(.addPoints(PointBatch(add)), by: ann).pointsAdded
        #expect(mixed.added == 1 && mixed.refused == 3 && mixed.rev == 3)
    }

    @Test("5,000 points in bad order, some of them twice, are one track", arguments: Home.allCases)
    func many(home: Home) async throws {
        let stage = try HookStage(home)
        let ann = Caller.anyone(user: "ann")
        let id = try add(stage, "boat", by: ann)
        var random = SplitMix64(seed: 43)
        let order = (0..<5_000).shuffled(using: &random)
        for begin in stride(from: 0, to: 5_000, by: 500) {
            let batch = Array(order[begin..<begin + 500]) + order[..<50]
            #expect(try stage.send(Self.points(batch, of: id), by: ann).pointsAdded.refused == 0)
        }
        #expect(try await track(stage, id) == Array(0..<5_000))
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

    // MARK: Grants

    @Test("a phone's key moves its landmark and no other, until it is ended", arguments: Home.allCases)
    func phone(home: Home) async throws {
        let stage = try HookStage(home)
        let (ann, bob, mod) = try people(stage)
        let id = try add(stage, "ann", by: ann)
        #expect(try stage.refusal(Self.grant(1, id), by: bob) == .denied)
        #expect(try stage.refusal(Self.grant(1, id), by: HookStage.account(4, .reader)) == .denied)
        let made = try stage.send(Self.grant(1, id), by: ann).grants.grants
        #expect(made.count == 1 && made[0].account == 1 && made[0].user == "n1" && made[0].points == 0)
        #expect(try stage.refusal(Self.grant(1, id), by: ann) == .invalid)
        let moved = try stage.send(Self.points([1, 2], grant: 1), by: Self.service).pointsAdded
        #expect(moved.added == 2 && moved.landmark == id.wire && moved.rev > 0)
        // Only a service brings what others have shown it.
        #expect(try stage.refusal(Self.points([3], grant: 1), by: bob) == .denied)
        #expect(try stage.refusal(Self.points([3], of: id), by: bob) == .denied)
        #expect(try stage.refusal(Self.points([3], grant: 2), by: Self.service) == .keyEnded)
        // Strangers' guesses must not push out the answers of others, so the same request is asked anew.
        var guess = stage.client.request(try Self.points([3], grant: 4))
        guess.caller = Self.service
        #expect(try stage.client.apply([guess])[0].failure.code == ErrorCode.keyEnded.rawValue)
        _ = try stage.send(Self.grant(4, id), by: ann)
        #expect(try stage.client.apply([guess])[0].pointsAdded.added == 1)
        _ = try stage.send(.endGrant([UInt8](Self.digest(4))), by: ann)
        let listed = try await stage.client.engine.reader.grants(
            .init(), by: Asker(account: 1, user: ""), limit: 9, now: stage.client.now)
        #expect(listed.grants.map(\.points) == [2] && listed.grants[0].used == stage.client.now)
        let others = try await stage.client.engine.reader.grants(
            .init(), by: Asker(account: 2, user: ""), limit: 9, now: stage.client.now)
        #expect(others.grants.isEmpty)
        #expect(try stage.refusal(.endGrant([UInt8](Self.digest(1))), by: bob) == .notFound)
        _ = try stage.send(.endGrant([UInt8](Self.digest(1))), by: mod)
        #expect(try stage.refusal(Self.points([4], grant: 1), by: Self.service) == .keyEnded)
    }

    @Test("a grant ends at its time, with its landmark, and with its account; then the account's tracks go")
    func ends() async throws {
        let stage = try HookStage(.memory)
        let (ann, _, _) = try people(stage)
        let (one, two) = (try add(stage, "one", by: ann), try add(stage, "two", by: ann))
        let now = stage.client.now
        for wrong in [now, now + 11 * 366 * 86_400_000] {
            #expect(try stage.refusal(Self.grant(1, one) { $0.expires = wrong }, by: ann) == .invalid)
        }
        _ = try stage.send(Self.grant(1, one) { $0.expires = now + 5_000 }, by: ann)
        _ = try stage.send(Self.grant(2, one), by: ann)
        _ = try stage.send(Self.grant(3, two), by: ann)
        stage.client.now += 5_000
        #expect(try stage.refusal(Self.points([1], grant: 1), by: Self.service) == .keyEnded)
        _ = try stage.send(Self.points([1], grant: 2), by: Self.service)
        _ = try stage.send(.remove(one, ifVersion: nil), by: ann)
        _ = try stage.send(.restore(one), by: ann)
        #expect(try stage.refusal(Self.points([2], grant: 2), by: Self.service) == .keyEnded)
        _ = try stage.send(Self.points([1, 2], grant: 3), by: Self.service)
        let end = AccountCommand.change(account: "n1", role: nil, name: nil, nil, ends: true)
        _ = try stage.send(.account(end), by: .machine)
        #expect(try stage.refusal(Self.points([3], grant: 3), by: Self.service) == .keyEnded)
        #expect(try await track(stage, two) == [1, 2])
        while try stage.client.engine.upkeep.hasOwnerTask() {
            _ = try stage.send(.account(.rewriteOwners(limit: 1)), by: .machine)
        }
        #expect(try await track(stage, two).isEmpty)
        #expect(try await stage.client.landmark(two).name == "two")
    }

    @Test("there are limits for an account")
    func limits() throws {
        let stage = try HookStage(.memory)
        let (ann, _, _) = try people(stage)
        let id = try add(stage, "ann", by: ann)
        for number in 1...20 {
            #expect(try stage.send(Self.grant(UInt8(number), id), by: ann).grants.grants.count == 1)
        }
        #expect(try stage.refusal(Self.grant(21, id), by: ann) == .tooLarge)
        for number in 21...100 {
            #expect(try stage.send(Self.grant(UInt8(number), id) { $0.kind = .see }, by: ann).grants.grants.count == 1)
        }
        #expect(try stage.refusal(Self.grant(101, id) { $0.kind = .see }, by: ann) == .tooLarge)
    }

    @Test("what a grant may be is checked")
    func checks() throws {
        let id = UUIDv7(high: 1, low: 1)
        let filter = Data(WireFeedFilter.with { $0.kinds = ["beach"] }.encoded)
        #expect(throws: InvalidInput.self) { try Self.grant(1, nil) }
        #expect(throws: InvalidInput.self) { try Self.grant(1, id) { $0.kind = .unspecified } }
        #expect(throws: InvalidInput.self) { try Self.grant(1, id) { $0.digest = Data(repeating: 1, count: 31) } }
        #expect(throws: InvalidInput.self) { try Self.grant(1, nil) { $0.filter = filter } }
        #expect(throws: InvalidInput.self) { try Self.grant(1, id) { ($0.kind, $0.filter) = (.see, filter) } }
        #expect(throws: InvalidInput.self) { try Self.grant(1, id) { $0.label = String(repeating: "l", count: 65) } }
        #expect(throws: InvalidInput.self) {
            try Self.grant(1, nil) { ($0.kind, $0.filter) = (.see, Data(WireFeedFilter().encoded)) }
        }
        _ = try Self.grant(1, nil) { ($0.kind, $0.filter) = (.see, filter) }
        #expect(throws: InvalidInput.self) { try PointBatch(WireAddPoints()) }
    }

    @Test("a link, whoever made it, is found with all private zones, each for its owner's landmarks alone")
    func zones() async throws {
        let stage = try HookStage(.memory)
        let (ann, bob, _) = try people(stage)
        let filter = WireFeedFilter.with { $0.circle = .with { ($0.lat, $0.lng, $0.radiusM) = (1, 2, 50) } }.encoded
        _ = try stage.send(.addFence(name: "home", filter: filter, isPrivate: true), by: ann)
        _ = try stage.send(.addFence(name: "harbour", filter: filter), by: bob)
        let id = try add(stage, "ann", by: ann)
        _ = try stage.send(Self.grant(1, id) { $0.kind = .see }, by: ann)
        let reader = stage.client.engine.reader
        let found = try await reader.findGrant(Self.digest(1), now: stage.client.now)
        // The name of the account that made the fence.
        var zone = try WireFeedFilter(serializedBytes: filter)
        zone.users = ["n1"]
        #expect(found.grants.count == 1 && found.zones == [Data(zone.encoded)])
        _ = try stage.send(
            Self.grant(3, nil) { ($0.kind, $0.filter) = (.see, Data(filter)) }, by: bob)
        #expect(try await reader.findGrant(Self.digest(3), now: stage.client.now).zones == [Data(zone.encoded)])
        #expect(try await reader.findGrant(Self.digest(2), now: stage.client.now).grants.isEmpty)
        let seen: [(UInt64, [String])] = [(1, ["harbour", "home"]), (2, ["harbour"]), (3, ["harbour", "home"])]
        for (account, names) in seen {
            let asker = Asker(account: account, user: "")
            #expect(try await reader.fences(.init(), by: asker, limit: 9).fences.map(\.name) == names)
            let byName = try await reader.fences(.with { $0.name = "home" }, by: asker, limit: 9).fences.count
            #expect(byName == names.count - 1)
        }
        let nobody = Asker(account: 0, user: " ")
        #expect(try await reader.fences(.init(), by: nobody, limit: 9).fences.map(\.name) == ["harbour"])
    }

    // MARK: Ends and erasure

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
        let upkeep = stage.client.engine.upkeep
        #expect(try !upkeep.hasExpired(now: end - 1) && upkeep.hasExpired(now: end))
        #expect(try stage.refusal(.removeExpired, by: HookStage.account(1, .admin)) == .notFound)
        if home == .disk { try stage.client.reopen() }
        stage.client.now = end
        _ = try stage.send(.removeExpired, by: .machine)
        #expect(try await stage.client.all().map(\.id) == [other])
        #expect(stage.client.changes.last?.operation == .removed)
        #expect(try !stage.client.engine.upkeep.hasExpired(now: .max >> 1))
    }

    @Test("people erase their own tracks, a part or all of them")
    func erasure() async throws {
        let stage = try HookStage(.memory)
        let (ann, bob, _) = try people(stage)
        let (one, two, his) = (
            try add(stage, "one", by: ann), try add(stage, "two", by: ann), try add(stage, "bob", by: bob)
        )
        for (id, owner) in [(one, ann), (two, ann), (his, bob)] {
            _ = try stage.send(Self.points([1, 2, 3], of: id), by: owner)
        }
        func erase(_ caller: Caller, _ change: (inout WireEraseTrack) -> Void) throws -> WireReply {
            var erase = WireEraseTrack()
            change(&erase)
            return try stage.send(.eraseTrack(TrackErasure(erase)), by: caller)
        }
        #expect(try erase(bob) { $0.landmark = one.wire }.failure.code == ErrorCode.denied.rawValue)
        let part = try erase(ann) { ($0.landmark, $0.before) = (one.wire, Self.start + 2_000) }
        #expect(part.trackErased.points == 1)
        #expect(try await track(stage, one) == [2, 3])
        let all = try erase(ann) { _ in }
        #expect(all.trackErased.points == 5 && all.trackErased.next.isEmpty)
        #expect(try erase(ann) { _ in }.trackErased.points == 0)
        #expect(try await track(stage, his) == [1, 2, 3])
        // An erased point may come again.
        #expect(try stage.send(Self.points([2], of: one), by: ann).pointsAdded.added == 1)
    }

    // MARK: Accounts

    @Test("a sign-up makes a user's account with its password and key")
    func signUp() async throws {
        let stage = try HookStage(.memory)
        let bytes = try #require(CurveKey(bytes: [UInt8](Self.digest(9))))
        let key = AccountCommand.NewKey(key: bytes, label: "laptop", readsOnly: true)
        let command = Command.account(.signUp(name: "Zoë", key, hash: "hash"))
        let reply = try stage.send(command, by: .machine).account
        #expect(reply.account.role == .user && reply.account.hasPassword_p && reply.account.keys == 1)
        #expect(reply.key.readsOnly && reply.key.label == "laptop")
        #expect(try stage.refusal(.account(.signUp(name: "zoë", key, hash: "other")), by: .machine) == .invalid)
        let news = try await stage.client.read { tables in try tables.accounts.news(since: 0) }
        #expect(news.keys.map(\.readsOnly) == [true])
    }
}
