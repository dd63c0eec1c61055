// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SQLite
import SwiftProtobuf
import TestPostgreSQL
import TestTurns
import Testing
import WaymarkProtocol

@testable import StorageOnSQLite
@testable import StorageRules

@Suite("Turns of services that deliver for hooks", .computing)
struct HookTurnTests {
    @Test("one service has a hook at a time, and another five seconds after its last turn", arguments: Home.allCases)
    func leases(home: Home) async throws {
        let stage = try HookStage(home)
        for name in ["a", "b", "c"] { try stage.add(name) }
        let first = try stage.turn(1)
        #expect(first.held.count == 3 && first.all == 3 && first.hooks.allSatisfy { $0.secret.count == 32 })
        #expect(try stage.turn(2).held.isEmpty)
        // Nothing is told twice.
        #expect(try stage.turn(1, seen: first.revision).hooks.isEmpty)
        stage.wait(.milliseconds(4_999))
        #expect(try stage.turn(2).held.isEmpty)
        stage.wait(.milliseconds(1))
        let second = try stage.turn(2)
        #expect(second.held.sorted() == first.held.sorted())
        for hook in second.hooks { #expect(first.hooks.contains { $0.id == hook.id && $0.term < hook.term }) }
        // The one before wakes up: it holds nothing, and writes nothing.
        try stage.client.add("x")
        let late = first.hooks.map { hook in
            stage.progress(hook, 1) { $0.gaveUp = [.with { ($0.rev, $0.reason) = (1, "500") }] }
        }
        let woken = try stage.turn(1, late)
        #expect(woken.held.isEmpty && Set(woken.refused) == Set(first.held))
        #expect(try await stage.hook("a")?.position.rev == 0)
        #expect(try await stage.failures("a").isEmpty)
    }

    @Test("services share what is free, and one that leaves gives back at once", arguments: Home.allCases)
    func shares(home: Home) throws {
        let stage = try HookStage(home)
        try stage.turn(1)
        try stage.turn(2)
        for number in 0..<5 { try stage.add("\(number)") }
        #expect(try stage.turn(1).held.count == 3)
        #expect(try stage.turn(2).held.count == 2)
        #expect(try stage.turn(1, leaves: true).held.isEmpty)
        #expect(try stage.turn(2).held.count == 5)
    }

    @Test("a hook that goes on after a pause stays with its holder, which may still send", arguments: Home.allCases)
    func pausedBriefly(home: Home) throws {
        let stage = try HookStage(home)
        try stage.add("a")
        let before = try #require(stage.turn(1).hooks.first)
        try stage.change(.pause, "a")
        try stage.change(.resume, "a")
        #expect(try stage.turn(2).held.isEmpty)
        let after = try #require(stage.turn(1, seen: before.revision).hooks.first)
        #expect(after.id == before.id && after.term > before.term)
        stage.wait(.seconds(5))
        #expect(try stage.turn(2).held == [before.id])
    }

    @Test("after a restart of storage every holder counts as just seen, and a revision of before it hides nothing")
    func restart() throws {
        let stage = try HookStage(.disk)
        try stage.add("a")
        let before = try stage.turn(1)
        try stage.client.reopen()
        #expect(try stage.turn(2).held.isEmpty)
        stage.wait(.seconds(4))
        #expect(try stage.turn(2).held.isEmpty)
        #expect(try stage.turn(1, seen: before.revision + 1_000_000_000_000).hooks.map(\.id) == before.held)
        stage.wait(.seconds(5))
        #expect(try stage.turn(2).held == before.held)
    }

    @Test("a position goes forward only, to revisions of this history that exist", arguments: Home.allCases)
    func positions(home: Home) async throws {
        let stage = try HookStage(home)
        try stage.add("a")
        for number in 0..<5 { try stage.client.add("\(number)") }
        let hook = try #require(stage.turn(1).hooks.first)
        let done = stage.progress(hook, 3) { ($0.delivered, $0.lastTry, $0.error) = (3, 1_800_000_000_000, "no") }
        #expect(try stage.turn(1, [done]).refused.isEmpty)
        let told = try #require(try await stage.hook("a"))
        #expect(told.position.rev == 3 && told.delivered == 3 && told.error == "no" && told.secret.isEmpty)
        try stage.turn(1, [stage.progress(hook, 2)])
        #expect(try await stage.hook("a")?.position.rev == 3)
        #expect(try stage.turn(1, [stage.progress(hook, 6)]).refused == [hook.id])
        let other = stage.progress(hook, 5) { $0.position.epoch = Data(repeating: 7, count: 16) }
        #expect(try stage.turn(1, [other]).refused == [hook.id])
        #expect(try stage.turn(1, [stage.progress(hook, 5) { $0.term += 1 }]).refused == [hook.id])
        #expect(try stage.turn(2, [stage.progress(hook, 5)]).refused == [hook.id])
        #expect(try await stage.hook("a")?.position.rev == 3)
        if home == .disk { try stage.client.reopen() }
        #expect(try await stage.hook("a")?.position.rev == 3)
        // No turn was a revision.
        #expect(stage.client.engine.position.rev == 5)
    }

    @Test("what is given up is kept once, and a full list stops the hook before it", arguments: Home.allCases)
    func failures(home: Home) async throws {
        let stage = try HookStage(home)
        try stage.add("a")
        for number in 0..<20 { try stage.client.add("\(number)") }
        let hook = try #require(stage.turn(1).hooks.first)
        let body = Data(repeating: 7, count: 1024 * 1024)
        let gone = stage.progress(hook, 2) {
            $0.gaveUp = [.with { ($0.rev, $0.reason, $0.body, $0.message) = (2, "500", body, "e-2") }]
        }
        for _ in 0..<2 { #expect(try stage.turn(1, [gone]).refused.isEmpty) }
        var kept = try await stage.failures("a")
        try #require(kept.count == 1)
        #expect(kept.map(\.rev) == [2] && kept[0].body == body && kept[0].message == "e-2" && !kept[0].due)
        // Sixteen are as many as fit.
        let more = stage.progress(hook, 20) { progress in
            progress.gaveUp = (UInt64(3)...20).map { rev in WireHookFailure.with { ($0.rev, $0.body) = (rev, body) } }
        }
        #expect(try stage.turn(1, [more]).held.isEmpty)
        let full = try #require(try await stage.hook("a"))
        #expect(full.state == .stopped && full.reason.contains("full") && full.position.rev == 17)
        #expect(full.failed == 16 && full.failedBytes == HookRules.mostFailedBytes)
        // A page ends at a mebibyte.
        kept = try await stage.failures("a")
        #expect(kept.map(\.rev) == [2])
        let next = try await stage.client.engine.reader.hookFailures(
            .with { ($0.name, $0.after) = ("a", kept[0].number) }, by: 0, limit: 9)
        #expect(next?.failures.first?.rev == 3 && next?.more == true)
    }

    @Test("tests and redeliveries go to the holder until it tells what came of them", arguments: Home.allCases)
    func outsideTheOrder(home: Home) async throws {
        let stage = try HookStage(home)
        try stage.add("a")
        try stage.client.add("x")
        let hook = try #require(stage.turn(1).hooks.first)
        try stage.change(.test, "a")
        try stage.change(.redeliver, "a") { $0.rev = 1 }
        try stage.change(.redeliver, "a") { $0.rev = 1 }
        #expect(try stage.refusal(HookStage.change(.redeliver, "a") { $0.rev = 2 }) == .invalid)
        #expect(try stage.turn(2).due.isEmpty)
        let due = try stage.turn(1).due
        #expect(due.map(\.rev) == [0, 1] && due.allSatisfy { $0.term == hook.term && $0.body.isEmpty })
        let told = stage.progress(hook, 0) {
            $0.redelivered = [due[0].number]
            $0.refused = [.with { ($0.number, $0.reason) = (due[1].number, "404") }]
        }
        #expect(try stage.turn(1, [told]).due.isEmpty)
        let kept = try await stage.failures("a")
        #expect(kept.map(\.reason) == ["404"] && kept.map(\.due) == [false])
        #expect(try await stage.hook("a")?.failed == 1)
        // It may be asked for again.
        try stage.change(.redeliver, "a") { $0.rev = 1 }
        #expect(try stage.turn(1).due.map(\.number) == [due[1].number])
        try stage.change(.remove, "a")
        #expect(try stage.client.integers("SELECT count(*) FROM hook_failures") == [0])
        #expect(try stage.turn(1).all == 0)
    }

    @Test("hooks with long filters are told in pages", arguments: Home.allCases)
    func pages(home: Home) throws {
        let stage = try HookStage(home)
        let kinds = (0..<1_000).map { "\($0) of a kind whose name is as long as a kind's may be…" }
        let filter = try WireFeedFilter.with { $0.kinds = kinds }.serializedData()
        for number in 0..<40 {
            #expect(try stage.send(HookStage.draft("\(number)") { $0.filter = filter }).hooks.hooks.count == 1)
        }
        var (seen, told, pages) = (UInt64(0), Set<UInt64>(), 0)
        repeat {
            let turn = try stage.turn(1, seen: seen)
            guard !turn.hooks.isEmpty else { break }
            #expect(turn.held.count == 40 && turn.encoded.count < WaymarkProtocol.messageBytes / 2)
            told.formUnion(turn.hooks.map(\.id))
            (seen, pages) = (turn.revision, pages + 1)
        } while pages < 40
        #expect(told.count == 40 && pages > 1 && pages < 40)
    }

    @Test("a turn that changes nothing writes nothing", .onSQLite("counts the rows that SQLite changed"))
    func idle() throws {
        let stage = try HookStage(.disk)
        try stage.add("a")
        let revision = try stage.turn(1).revision
        func changes() throws -> Int64? {
            try stage.client.sqlite.probe { db in try Int64.fetchOne(db, sql: "SELECT total_changes()") }
        }
        let before = try changes()
        for _ in 0..<3 {
            stage.wait(.seconds(1))
            try stage.turn(1, seen: revision)
            try stage.turn(2)
        }
        #expect(try changes() == before)
    }
}
