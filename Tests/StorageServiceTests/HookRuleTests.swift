// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import SQLite
import SwiftProtobuf
import TestPostgreSQL
import TestTurns
import Testing
import WaymarkProtocol

@testable import EngineParts
@testable import StorageOnSQLite
@testable import StorageRules

@Suite("Fences and hooks", .computing)
struct HookRuleTests {
    private static func fence(_ name: String, _ kind: String = "beach") -> Command {
        .addFence(name: name, filter: WireFeedFilter.with { $0.kinds = [kind] }.encoded)
    }

    // MARK: Fences

    @Test("a fence is replaced by another one, by its owner or a moderator", arguments: Home.allCases)
    func fences(home: Home) async throws {
        let stage = try HookStage(home)
        let (ann, bob, mod) = (
            HookStage.account(1, .user), HookStage.account(2, .user), HookStage.account(3, .moderator)
        )
        let first = try #require(stage.send(Self.fence("home"), by: ann).fences.fences.first)
        #expect(first.account == 1 && first.user == "n1" && first.rev == 0)
        #expect(try stage.refusal(Self.fence("home"), by: bob) == .denied)
        #expect(try stage.refusal(.removeFence(name: "home"), by: bob) == .denied)
        #expect(try stage.refusal(Self.fence("x"), by: HookStage.account(4, .reader)) == .denied)
        let second = try #require(stage.send(Self.fence("home", "café"), by: ann).fences.fences.first)
        #expect(second.id > first.id)
        let third = try #require(stage.send(Self.fence("home", "bar"), by: mod).fences.fences.first)
        #expect(third.id > second.id && third.account == 1)
        try await listed(stage, ["home"])
        _ = try stage.send(Self.fence("beach"), by: bob)
        try await listed(stage, ["beach", "home"])
        let page = try await stage.client.engine.reader.fences(WireListFences(), by: .machine, limit: 1)
        #expect(page.fences.map(\.name) == ["beach"] && page.more)
        let rest = try await stage.client.engine.reader.fences(.with { $0.after = "beach" }, by: .machine, limit: 1)
        #expect(rest.fences == [third] && !rest.more)
        #expect(try stage.send(.removeFence(name: "home"), by: ann).done == WireDone())
        #expect(try stage.refusal(.removeFence(name: "home"), by: ann) == .notFound)
        // A number is never given again.
        #expect(try stage.send(Self.fence("home"), by: ann).fences.fences[0].id > third.id)
        #expect(stage.client.engine.position.rev == 0)
    }

    private func listed(_ stage: HookStage, _ names: [String]) async throws {
        #expect(
            try await stage.client.engine.reader.fences(WireListFences(), by: .machine, limit: 9).fences.map(\.name)
                == names)
        for name in names + ["none"] {
            let found = try await stage.client.engine.reader.fences(.with { $0.name = name }, by: .machine, limit: 9)
                .fences
            #expect(found.map(\.name) == (names.contains(name) ? [name] : []))
        }
    }

    @Test("an account has a hundred fences and ten hooks, an administrator more")
    func quotas() throws {
        let stage = try HookStage(Home.allCases[0])
        let (ann, root) = (HookStage.account(1, .user), HookStage.account(2, .admin))
        for number in 0..<100 { #expect(try stage.send(Self.fence("\(number)"), by: ann).fences.fences.count == 1) }
        #expect(try stage.refusal(Self.fence("100"), by: ann) == .tooLarge)
        #expect(try stage.refusal(Self.fence("99"), by: ann) == nil)
        for number in 100..<201 { #expect(try stage.refusal(Self.fence("\(number)"), by: root) == nil) }
        for number in 0..<10 { try stage.add("\(number)", by: ann) }
        #expect(try stage.refusal(HookStage.draft("10"), by: ann) == .tooLarge)
        for number in 0..<11 { try stage.add("\(number)", by: root) }
    }

    // MARK: Hooks

    @Test("a hook's secret is told when it is made, and never again", arguments: Home.allCases)
    func secrets(home: Home) async throws {
        let stage = try HookStage(home)
        try stage.client.add("x")
        let made = try stage.add("a")
        #expect(made.secret.count == 32 && made.position.rev == 1 && made.state == .active && made.batch == 1)
        #expect(try stage.refusal(HookStage.draft("a")) == .invalid)
        #expect(try await stage.list(0).map(\.secret) == [Data()])
        #expect(try stage.change(.pause, "a")[0].secret.isEmpty)
        #expect(try stage.change(.resume, "a")[0].secret.isEmpty)
        let turned = try #require(stage.change(.rotate, "a").first)
        #expect(turned.secret.count == 32 && turned.secret != made.secret && turned.formerSecret.isEmpty)
        let held = try #require(stage.turn(1).hooks.first)
        #expect(held.secret == turned.secret && held.formerSecret == made.secret)
        #expect(held.formerUntil == stage.client.now + 86_400_000)
        // The answer that was lost is given again, with its secret.
        let request = stage.client.request(try HookStage.draft("b"))
        let (one, two) = (try stage.client.apply([request])[0], try stage.client.apply([request])[0])
        #expect(one == two && one.hooks.hooks[0].secret.count == 32)
    }

    @Test("a hook begins where it was told to", arguments: Home.allCases)
    func beginnings(home: Home) throws {
        let stage = try HookStage(home)
        for number in 0..<4 { try stage.client.add("\(number)") }
        func begin(_ name: String, _ from: WireAddHook.OneOf_From?) throws -> UInt64? {
            try stage.send(HookStage.draft(name) { $0.from = from }).hooks.hooks.first?.position.rev
        }
        let begun = [
            try begin("a", nil), try begin("b", .now(true)), try begin("c", .start(true)), try begin("d", .rev(2)),
            try begin("e", .rev(5)),
        ]
        #expect(begun == [4, 4, 0, 2, nil])
    }

    @Test("whoever held a hook that was paused writes nothing, and it goes on as it is told", arguments: Home.allCases)
    func pauses(home: Home) async throws {
        let stage = try HookStage(home)
        for name in ["a", "b"] { try stage.add(name) }
        for number in 0..<4 { try stage.client.add("\(number)") }
        let held = try stage.turn(1).hooks
        let hook = try #require(held.first { $0.name == "a" })
        try stage.change(.pause, "a")
        let turn = try stage.turn(1, [stage.progress(hook, 3)])
        #expect(turn.refused == [hook.id] && !turn.held.contains(hook.id))
        #expect(try stage.refusal(HookStage.change(.test, "a")) == .invalid)
        #expect(try stage.change(.resume, "a")[0].position.rev == 0)
        #expect(try stage.turn(1, [stage.progress(hook, 3)]).refused == [hook.id])
        #expect(try stage.change(.resume, "a") { $0.rev = 2 }[0].position.rev == 2)
        #expect(try stage.change(.resume, "a") { $0.fromNow = true }[0].position.rev == 4)
        #expect(try stage.refusal(HookStage.change(.resume, "a") { $0.rev = 5 }) == .invalid)
        #expect(try stage.refusal(HookStage.change(.resume, "") { ($0.all, $0.rev) = (true, 5) }) == .invalid)
        #expect(try stage.refusal(HookStage.change(.redeliver, "a")) == .invalid)
        // A receiver that is gone stops its hook; resuming all leaves that alone.
        let last = try #require(stage.turn(1).hooks.first { $0.name == "a" })
        try stage.turn(1, [stage.progress(last, 4) { $0.stop = "The receiver answered 410." }])
        #expect(try await stage.hook("a")?.state == .stopped)
        #expect(try stage.change(.pause, "") { $0.all = true }.map(\.name) == ["b"])
        #expect(try stage.change(.resume, "") { $0.all = true }.map(\.name) == ["b"])
        #expect(try await stage.hook("a")?.reason == "The receiver answered 410.")
        #expect(try stage.change(.resume, "a")[0].state == .active)
    }

    @Test("of tests that failed only the last one stays on the list", arguments: Home.allCases)
    func tests(home: Home) async throws {
        let stage = try HookStage(home)
        try stage.add("a")
        let hook = try #require(stage.turn(1).hooks.first)
        for _ in 0..<3 {
            try stage.change(.test, "a")
            let due = try #require(stage.turn(1).due.first)
            let refused = WireHookFailure.with { ($0.number, $0.reason) = (due.number, "500") }
            try stage.turn(1, [stage.progress(hook, 0) { $0.refused = [refused] }])
            #expect(try await stage.failures("a").map(\.number) == [due.number])
        }
        #expect(try await stage.hook("a")?.failed == 1)
    }

    @Test("one sees and changes one's own, an administrator everybody's", arguments: Home.allCases)
    func owners(home: Home) async throws {
        let stage = try HookStage(home)
        let ann = try stage.client.account("ann", .user)
        let bob = try stage.client.account("bob", .moderator)
        let root = try stage.client.account("root", .admin)
        let roles: [UInt64: Role] = [ann: .user, bob: .moderator, root: .admin]
        func caller(_ number: UInt64) -> Caller { HookStage.account(number, roles[number] ?? .reader) }
        for number in [ann, bob] { try stage.add("a", by: caller(number)) }
        let second = try stage.add("b", by: caller(ann))
        #expect(try await stage.list(ann).map(\.name) == ["a", "b"])
        #expect(try await stage.list(bob).map(\.name) == ["a"])
        #expect(try await stage.list(root).count == 3)
        #expect(try await stage.list(0).count == 3)
        #expect(try await stage.list(root, name: "#\(second.id)").map(\.name) == ["b"])
        #expect(try stage.refusal(HookStage.change(.pause, "b"), by: caller(bob)) == .notFound)
        #expect(try stage.refusal(HookStage.change(.pause, "#\(second.id)"), by: caller(bob)) == .notFound)
        // Which of the two is meant?
        #expect(try stage.refusal(HookStage.change(.pause, "a"), by: caller(root)) == .notFound)
        #expect(try stage.refusal(HookStage.change(.pause, "b"), by: caller(root)) == nil)
        #expect(try stage.refusal(HookStage.draft("x"), by: HookStage.account(9, .reader)) == .denied)
        let turn = Command.hookTurn(.with { $0.service = Data(repeating: 1, count: 16) })
        #expect(try stage.refusal(turn, by: caller(root)) == .denied)
        // Those of an account that ends stop.
        let held = try stage.turn(1)
        #expect(held.held.count == 2)
        try stage.client.done(.change(account: "ann", role: nil, name: nil, nil, ends: true))
        #expect(try stage.turn(1).held.count == 1)
        let stopped = try await stage.list(0).filter { $0.account == ann }
        #expect(stopped.map(\.state) == [.stopped, .stopped] && stopped[0].reason.contains("ended"))
        #expect(try stage.refusal(HookStage.change(.resume, "b"), by: caller(root)) == .notFound)
    }

    @Test("a batch that fails leaves nothing of its hooks in memory", .onSQLite("makes a commit fail"))
    func rollback() throws {
        let stage = try HookStage(.memory)
        try stage.add("a")
        try stage.turn(1)
        try stage.client.sqlite.probe { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER broken BEFORE UPDATE ON hooks BEGIN SELECT RAISE(ABORT, 'broken'); END
                    """)
        }
        #expect(try stage.refusal(HookStage.change(.pause, "a")) == .internal)
        try stage.client.sqlite.probe { db in try db.execute(sql: "DROP TRIGGER broken") }
        #expect(try stage.turn(1).held.count == 1)
    }

    @Test("hooks of a restored database are paused until they are resumed", .onSQLite("restores a backup"))
    func restored() async throws {
        let stage = try HookStage(.disk)
        let made = try stage.add("a")
        try stage.turn(1)
        let (scratch, file) = try BackupTests.written(try await stage.client.engine.copier.copy())
        let other = Scratch()
        _ = try DatabaseRestore.run(file, into: other.path, force: false)
        let engine = try SQLiteEngine(directory: other.path, logger: .silent)
        defer { engine.close() }
        func send(_ command: Command) throws -> WireReply {
            try WireReply(serializedBytes: engine.apply([stage.client.request(command)]).replies[0])
        }
        let shown = try await engine.reader.hooks(WireListHooks(), by: 0, limit: 9).hooks
        #expect(shown.map(\.state) == [.paused] && shown[0].reason.contains("restored"))
        let turn = Command.hookTurn(.with { $0.service = Data(repeating: 1, count: 16) })
        #expect(try send(turn).hookTurns.held.isEmpty)
        #expect(try send(HookStage.change(.test, "a")).failure.code == ErrorCode.invalid.rawValue)
        let resumed = try send(HookStage.change(.resume, "") { $0.all = true }).hooks.hooks
        #expect(resumed.map(\.state) == [.active] && resumed[0].position.epoch == engine.position.epoch.wire)
        #expect(try send(turn).hookTurns.held == [made.id])
        _ = scratch
    }
}
