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

@Suite("Grants", .computing)
struct GrantRuleTests {
    @Test("a phone's key moves its landmark and no other, until it is ended", arguments: Home.allCases)
    func phone(home: Home) async throws {
        let stage = try HookStage(home)
        let (ann, bob, mod) = try stage.people()
        let id = try stage.landmark("ann", by: ann)
        #expect(try stage.refusal(People.grant(1, id), by: bob) == .denied)
        #expect(try stage.refusal(People.grant(1, id), by: HookStage.account(4, .reader)) == .denied)
        let made = try stage.send(People.grant(1, id), by: ann).grants.grants
        #expect(made.count == 1 && made[0].account == 1 && made[0].user == "n1" && made[0].points == 0)
        #expect(try stage.refusal(People.grant(1, id), by: ann) == .invalid)
        let moved = try stage.send(People.points([1, 2], grant: 1), by: People.service).pointsAdded
        #expect(moved.added == 2 && moved.landmark == id.wire && moved.rev > 0)
        // Only a service brings what others have shown it.
        #expect(try stage.refusal(People.points([3], grant: 1), by: bob) == .denied)
        #expect(try stage.refusal(People.points([3], of: id), by: bob) == .denied)
        #expect(try stage.refusal(People.points([3], grant: 2), by: People.service) == .keyEnded)
        // Strangers' guesses must not push out the answers of others, so the same request is asked anew.
        var guess = stage.client.request(try People.points([3], grant: 4))
        guess.caller = People.service
        #expect(try stage.client.apply([guess])[0].failure.code == ErrorCode.keyEnded.rawValue)
        _ = try stage.send(People.grant(4, id), by: ann)
        #expect(try stage.client.apply([guess])[0].pointsAdded.added == 1)
        _ = try stage.send(.endGrant([UInt8](People.digest(4))), by: ann)
        let listed = try await stage.client.engine.reader.grants(
            .init(), by: Asker(account: 1, user: ""), limit: 9, now: stage.client.now)
        #expect(listed.grants.map(\.points) == [2] && listed.grants[0].used == stage.client.now)
        let others = try await stage.client.engine.reader.grants(
            .init(), by: Asker(account: 2, user: ""), limit: 9, now: stage.client.now)
        #expect(others.grants.isEmpty)
        #expect(try stage.refusal(.endGrant([UInt8](People.digest(1))), by: bob) == .notFound)
        _ = try stage.send(.endGrant([UInt8](People.digest(1))), by: mod)
        #expect(try stage.refusal(People.points([4], grant: 1), by: People.service) == .keyEnded)
    }

    @Test("a grant ends at its time, with its landmark, and with its account; then the account's tracks go")
    func ends() async throws {
        let stage = try HookStage(.memory)
        let (ann, _, _) = try stage.people()
        let (one, two) = (try stage.landmark("one", by: ann), try stage.landmark("two", by: ann))
        let now = stage.client.now
        for wrong in [now, now + 11 * 366 * 86_400_000] {
            #expect(try stage.refusal(People.grant(1, one) { $0.expires = wrong }, by: ann) == .invalid)
        }
        _ = try stage.send(People.grant(1, one) { $0.expires = now + 5_000 }, by: ann)
        _ = try stage.send(People.grant(2, one), by: ann)
        _ = try stage.send(People.grant(3, two), by: ann)
        stage.client.now += 5_000
        #expect(try stage.refusal(People.points([1], grant: 1), by: People.service) == .keyEnded)
        _ = try stage.send(People.points([1], grant: 2), by: People.service)
        _ = try stage.send(.remove(one, ifVersion: nil), by: ann)
        _ = try stage.send(.restore(one), by: ann)
        #expect(try stage.refusal(People.points([2], grant: 2), by: People.service) == .keyEnded)
        _ = try stage.send(People.points([1, 2], grant: 3), by: People.service)
        let end = AccountCommand.change(account: "n1", role: nil, name: nil, nil, ends: true)
        _ = try stage.send(.account(end), by: .machine)
        #expect(try stage.refusal(People.points([3], grant: 3), by: People.service) == .keyEnded)
        #expect(try await stage.track(two) == [1, 2])
        while try stage.client.engine.upkeep.isDue({ tables in try tables.hasOwnerTask() }) {
            _ = try stage.send(.account(.rewriteOwners(limit: 1)), by: .machine)
        }
        #expect(try await stage.track(two).isEmpty)
        #expect(try await stage.client.landmark(two).name == "two")
    }

    @Test("there are limits for an account")
    func limits() throws {
        let stage = try HookStage(.memory)
        let (ann, _, _) = try stage.people()
        let id = try stage.landmark("ann", by: ann)
        for number in 1...20 {
            #expect(try stage.send(People.grant(UInt8(number), id), by: ann).grants.grants.count == 1)
        }
        #expect(try stage.refusal(People.grant(21, id), by: ann) == .tooLarge)
        for number in 21...100 {
            let link = try People.grant(UInt8(number), id) { $0.kind = .see }
            #expect(try stage.send(link, by: ann).grants.grants.count == 1)
        }
        #expect(try stage.refusal(People.grant(101, id) { $0.kind = .see }, by: ann) == .tooLarge)
    }

    @Test("there is a limit for all accounts together, and grants that have ended do not count")
    func limitOfAll() throws {
        let memory = MemoryTables()
        let rules = try GrantRules(memory.tables, mostOfAll: 3)
        let filter = Data(WireFeedFilter.with { $0.kinds = ["beach"] }.encoded)
        func add(_ number: UInt8, by account: UInt64) throws {
            let add = WireAddGrant.with {
                ($0.kind, $0.digest, $0.filter) = (.see, People.digest(number), filter)
            }
            _ = try rules.add(add, by: HookStage.account(account, .user), now: People.start)
        }
        for number in UInt8(1)...3 { try add(number, by: UInt64(number)) }
        let refusal = #expect(throws: ServiceError.self) { try add(4, by: 4) }
        #expect(refusal?.code == .tooLarge)
        #expect(refusal?.message == "There are at most 3 links and phones: end one of them first.")
        _ = try rules.end([UInt8](People.digest(2)), by: HookStage.account(2, .user))
        try add(4, by: 4)
        #expect(memory.rows.grants.count == 3)
    }

    @Test("what a grant may be is checked")
    func checks() throws {
        let id = UUIDv7(high: 1, low: 1)
        let filter = Data(WireFeedFilter.with { $0.kinds = ["beach"] }.encoded)
        #expect(throws: InvalidInput.self) { try People.grant(1, nil) }
        #expect(throws: InvalidInput.self) { try People.grant(1, id) { $0.kind = .unspecified } }
        #expect(throws: InvalidInput.self) { try People.grant(1, id) { $0.digest = Data(repeating: 1, count: 31) } }
        #expect(throws: InvalidInput.self) { try People.grant(1, nil) { $0.filter = filter } }
        #expect(throws: InvalidInput.self) { try People.grant(1, id) { ($0.kind, $0.filter) = (.see, filter) } }
        #expect(throws: InvalidInput.self) { try People.grant(1, id) { $0.label = String(repeating: "l", count: 65) } }
        #expect(throws: InvalidInput.self) {
            try People.grant(1, nil) { ($0.kind, $0.filter) = (.see, Data(WireFeedFilter().encoded)) }
        }
        _ = try People.grant(1, nil) { ($0.kind, $0.filter) = (.see, filter) }
        #expect(throws: InvalidInput.self) { try PointBatch(WireAddPoints()) }
    }

    @Test("a link, whoever made it, is found with all private zones, each for its owner's landmarks alone")
    func zones() async throws {
        let stage = try HookStage(.memory)
        let (ann, bob, _) = try stage.people()
        let filter = WireFeedFilter.with { $0.circle = .with { ($0.lat, $0.lng, $0.radiusM) = (1, 2, 50) } }.encoded
        _ = try stage.send(.addFence(name: "home", filter: filter, isPrivate: true), by: ann)
        _ = try stage.send(.addFence(name: "harbour", filter: filter), by: bob)
        let id = try stage.landmark("ann", by: ann)
        _ = try stage.send(People.grant(1, id) { $0.kind = .see }, by: ann)
        let reader = stage.client.engine.reader
        let found = try await reader.findGrant(People.digest(1), now: stage.client.now)
        // The name of the account that made the fence.
        var zone = try WireFeedFilter(serializedBytes: filter)
        zone.users = ["n1"]
        #expect(found.grants.count == 1 && found.zones == [Data(zone.encoded)])
        _ = try stage.send(
            People.grant(3, nil) { ($0.kind, $0.filter) = (.see, Data(filter)) }, by: bob)
        #expect(try await reader.findGrant(People.digest(3), now: stage.client.now).zones == [Data(zone.encoded)])
        #expect(try await reader.findGrant(People.digest(2), now: stage.client.now).grants.isEmpty)
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
}
