// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import TestTurns
import Testing
import WaymarkProtocol
import ZeroMQ

@testable import WaymarkCLI
@testable import WaymarkClient

@Suite("Hooks on the command line", .inShortTurn)
struct CLIHookTests {
    private static func hook(_ name: String, _ more: (inout WireHook) -> Void = { _ in }) -> WireHook {
        var hook = WireHook.with {
            ($0.id, $0.name, $0.url, $0.state, $0.batch) = (3, name, "https://example.com/in", .active, 1)
            ($0.position.epoch, $0.position.rev) = (UUIDv7(high: 1, low: 2).wire, 40)
        }
        more(&hook)
        return hook
    }

    private static func hooks(_ hooks: WireHook...) -> WireReply {
        .with { ($0.hooks.hooks, $0.hooks.head) = (hooks, 42) }
    }

    @Test("are added with a filter that is resolved once, and tell their secret")
    func added() async throws {
        let filter = FeedFilter(kinds: ["boat"], operations: [.entered])
        try await CLIStub.with(
            { command in
                switch command {
                case .fences:
                    let bytes = Data(FeedFilter(kinds: ["boat"]).wire.encoded)
                    return .with { $0.fences.fences = [.with { ($0.name, $0.filter) = ("harbour", bytes) }] }
                default: return Self.hooks(Self.hook("in") { $0.secret = Data(repeating: 0, count: 24) })
                }
            },
            { stub in
                let added = await stub.run(
                    "hook", "add", "in", "https://example.com/in", "--fence", "harbour", "--op", "entered", "--batch",
                    "100", "--from", "7")
                #expect(added.status == 0, "\(added.err)")
                let secret = "whsec_" + String(repeating: "A", count: 32)
                #expect(
                    added.out == """
                        in sends to https://example.com/in after revision 40
                        Its secret, shown only this once:
                          \(secret)

                        """)
                let wanted = WireAddHook.with {
                    ($0.name, $0.url, $0.fence, $0.batch) = ("in", "https://example.com/in", "harbour", 100)
                    ($0.filter, $0.rev) = (Data(filter.wire.encoded), 7)
                }
                #expect(stub.commands().last == .addHook(wanted))
                let json = await stub.run("hook", "add", "in", "https://example.com/in", "-o", "json")
                #expect(json.out.contains("\"secret\":\"\(secret)\""))
                if case .addHook(let plain)? = stub.commands().last {
                    #expect(plain.now && plain.batch == 1 && plain.filter.isEmpty && plain.secret.isEmpty)
                } else {
                    Issue.record("a hook is added")
                }
            })
    }

    @Test("are listed and shown with what a person must know to repair them")
    func shown() async throws {
        try await CLIStub.with(
            { _ in
                Self.hooks(
                    Self.hook("in"),
                    Self.hook("out") {
                        ($0.id, $0.state, $0.reason) = (4, .stopped, "The receiver answered 410.")
                        ($0.failed, $0.failedBytes, $0.failures) = (2, 2_048, 12)
                    })
            },
            { stub in
                let list = await stub.run("hook", "list")
                let rows = list.out.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
                #expect(
                    rows.map { $0.prefix(3) } == [
                        ["NAME", "STATE", "BEHIND"], ["in", "active", "2"], ["out", "stopped", "2"],
                    ])
                #expect(list.err.contains("waymark hook show NAME"), "\(list.err)")
                let objects = await stub.run("hook", "list", "-o", "json")
                #expect(objects.out.split(separator: "\n").map { $0.hasSuffix(#""behind":2}"#) } == [true, true])
                let show = await stub.run("hook", "show", "in")
                #expect(show.out.hasPrefix("hook in\n") && show.out.contains("revision 40, 2 behind"), "\(show.err)")
                #expect(show.out.contains("everything") && !show.out.contains("given up"))
                let all = await stub.run("hook", "pause", "--all")
                #expect(all.out == "in is active\nout is stopped, The receiver answered 410.\n")
                let paused = WireChangeHook.with { ($0.act, $0.all) = (.pause, true) }
                #expect(stub.commands().suffix(2) == [.changeHook(paused), .hooks(.with { $0.limit = 1_000 })])
                _ = await stub.run("hook", "resume", "in", "--from", "now")
                let resumed = WireChangeHook.with { ($0.act, $0.name, $0.fromNow) = (.resume, "in", true) }
                #expect(stub.commands().last == .changeHook(resumed))
                let asked = await stub.run("hook", "remove", "in")
                #expect(asked.status == 2 && asked.err.contains("add --yes to confirm") && stub.commands().isEmpty)
                #expect(await stub.run("hook", "remove", "in", "--yes").out == "removed in\n")
                #expect(stub.commands().last == .changeHook(.with { ($0.act, $0.name) = (.remove, "in") }))
            })
    }

    @Test("test waits until the message is taken or refused; a failure of an earlier test does not count")
    func tested() async throws {
        for isTaken in [true, false] {
            let asked = Locked(0)
            try await CLIStub.with(
                { command in
                    guard case .hookFailures(let list) = command else { return Self.hooks(Self.hook("in")) }
                    let former = WireHookFailure.with { ($0.number, $0.reason) = (5, "The receiver answered 500.") }
                    if list.after < 5 { return .with { $0.hookFailures.failures = [former] } }
                    let turn = asked.withLock { asked in
                        asked += 1
                        return asked
                    }
                    let sent = WireHookFailure.with {
                        ($0.number, $0.due) = (6, turn < 3)
                        if turn > 2 { $0.reason = "The receiver answered 404." }
                    }
                    return .with { $0.hookFailures.failures = turn > 2 && isTaken ? [] : [sent] }
                },
                { stub in
                    let result = await stub.run("hook", "test", "in")
                    #expect(asked.withLock { $0 } == 3 && result.status == (isTaken ? 0 : 1), "\(result.err)")
                    #expect(result.out == (isTaken ? "in: the receiver has taken the test message\n" : ""))
                    #expect(isTaken || result.err.contains("did not take the test: The receiver answered 404."))
                })
        }
    }

    @Test("failed messages are listed, with their bodies for programs, and sent again")
    func failures() async throws {
        try await CLIStub.with(
            { command in
                guard case .hookFailures = command else { return Self.hooks() }
                let kept = WireHookFailure.with {
                    ($0.number, $0.rev, $0.reason, $0.body) = (1, 17, "The receiver answered 404.", Data("{}".utf8))
                }
                return .with { $0.hookFailures.failures = [kept, .with { ($0.number, $0.due) = (2, true) }] }
            },
            { stub in
                let rows = await stub.run("hook", "failed", "in").out.split(separator: "\n")
                #expect(
                    rows.count == 3 && rows[1].hasPrefix("  17  ") && rows[1].hasSuffix("The receiver answered 404."))
                #expect(rows.last?.hasPrefix("test  ") == true && rows.last?.contains("waiting") == true)
                let json = await stub.run("hook", "failed", "in", "-o", "json").out.split(separator: "\n")
                #expect(json.count == 2 && json[0].contains(#""rev":17"#) && json[0].contains(#""body":"{}""#))
                let again = await stub.run("hook", "redeliver", "in", "17")
                #expect(again.out == "in: revision 17 will be sent again\n", "\(again.err)")
                #expect(
                    stub.commands().last == .changeHook(.with { ($0.act, $0.name, $0.rev) = (.redeliver, "in", 17) }))
            })
    }

    @Test("a secret is read from a file that only its owner may read")
    func secrets() async throws {
        let path = "/tmp/wm-secret-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        func write(_ text: String, mode: Int) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        try await CLIStub.with(
            { _ in Self.hooks(Self.hook("in")) },
            { stub in
                func add() async -> ToolResult {
                    await stub.run("hook", "add", "in", "https://example.com/in", "--secret-file", path)
                }
                try write("whsec_" + String(repeating: "A", count: 32) + "\n", mode: 0o600)
                #expect(await add().status == 0)
                if case .addHook(let hook)? = stub.commands().last {
                    #expect(hook.secret == Data(repeating: 0, count: 24))
                } else {
                    Issue.record("a hook is added")
                }
                try write("whsec_AAAA\n", mode: 0o600)
                let short = await add()
                #expect(short.status == 1 && short.err.contains("the base64 of 24 to 64 bytes"), "\(short.err)")
                try write("whsec_" + String(repeating: "A", count: 32) + "\n", mode: 0o644)
                #expect(await add().status == 1)
                #expect(stub.commands().isEmpty)
            })
    }
}
