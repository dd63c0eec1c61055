// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import TestTurns
import Testing
import WaymarkClient

@testable import WaymarkCLI

@Suite("tail, option by option", .inShortTurn)
struct CLITailTests {
    @Test("a snapshot and the later changes are one history, while somebody writes")
    func snapshot() async throws {
        try await withProcessPair { pair in
            try await withClient(try await pair.client()) { client in
                try await Self.add(100, client)
                let writer = CLIWriter(client)
                let tails = (0..<3).map { _ in pair.live("tail", "--snapshot", "-o", "json") }
                for tail in tails { _ = try await tail.out.next { $0.contains("synced") } }
                try await writer.wait(for: 50)
                let head = try await writer.stop()
                for tail in tails {
                    _ = try await tail.out.next { $0.contains("\"rev\":\(head),\"at\"") }
                    await tail.stop()
                    try Self.check(tail.out.lines.map(ProcessJSON.init), head: head)
                }
            }
        }
    }

    /// Every revision is an add, so the snapshot has as many landmarks as its revision says.
    private static func check(_ lines: [ProcessJSON], head: UInt64) throws {
        let at = try #require(lines.firstIndex { $0["type"] == "synced" })
        let rev = try #require(lines[at].number("rev"))
        let (state, changes) = (lines[..<at], lines[(at + 1)...])
        #expect(state.allSatisfy { $0["type"] == "landmark" && $0["op"] == "init" && $0.number("rev") == rev })
        #expect(state.map { $0.object("landmark")?.number("rev") ?? 0 }.sorted() == (1...Int(rev)).map(Double.init))
        #expect(changes.map { $0.number("rev") } == ((Int(rev) + 1)...Int(head)).map { Double($0) })
        #expect(changes.allSatisfy { $0["op"] == "added" && $0["run"] != nil })
    }

    @Test("its beginning and its end")
    func ends() async throws {
        try await withProcessPair { pair in
            try await withClient(try await pair.client()) { client in
                try await Self.add(6, client)
                func revisions(_ arguments: String...) async -> (Int32, [String]) {
                    let tail = CLILive(["tail", "-o", "template={rev}"] + arguments, environment: pair.variables)
                    return (await tail.status, tail.out.lines)
                }
                #expect(await revisions("--from-start", "--until", "4") == (0, ["1", "2", "3", "4"]))
                #expect(await revisions("--since", "2", "--until", "4") == (0, ["3", "4"]))
                #expect(await revisions("--since", "2", "--until", "4", "--no-follow") == (0, ["3", "4"]))
                #expect(await revisions("--since", "4", "--until", "2") == (0, []))
                #expect(await revisions("--from-start", "-n2") == (0, ["1", "2"]))
                #expect(await revisions("--no-follow") == (0, ["1", "2", "3", "4", "5", "6"]))
                #expect(await revisions("--no-follow", "--new") == (0, []))
                #expect(await revisions("--snapshot", "--no-follow") == (0, Array(repeating: "6", count: 6)))
                await Self.expect((0, []), after: "--idle", [], pair)
                let rest = ["4", "5", "6"]
                await Self.expect((0, []), after: "--timeout", [], pair)
                await Self.expect((0, rest), after: "--idle", ["--since", "3", "--require", "3"], pair)
                await Self.expect((4, rest), after: "--idle", ["--since", "3", "--require", "4"], pair)
                await Self.expect((0, rest), after: "--idle", ["--since", "3", "--no-follow"], pair)
                await Self.expect((4, []), after: "--timeout", ["--require", "1"], pair)
            }
        }
    }

    /// Runs it with a short time, and with longer ones while that is over too early: on a busy machine before it has
    /// connected, or before it has printed what there is.
    private static func expect(
        _ expected: (Int32, [String]), after option: String, _ arguments: [String], _ pair: ProcessPair
    ) async {
        var found: (Int32, [String]) = (0, [])
        for time in ["300ms", "3s", "30s"] {
            let tail = CLILive(
                ["tail", "-o", "template={rev}", option, time] + arguments, environment: pair.variables)
            found = (await tail.status, tail.out.lines)
            if found == expected { return }
        }
        Issue.record("\(option) \(arguments): \(found)")
    }

    @Test("a position that is gone: an error, the present landmarks, or the remaining changes")
    func gone() async throws {
        try await withProcessPair { pair in
            try await withClient(try await pair.client()) { client in
                var head = Double(try await Self.add(3, client))
                let other = "01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5"
                for position in [["--since", "999"], ["--since", "1", "--epoch", other]] {
                    func start(_ arguments: String...) -> CLILive {
                        CLILive(["tail", "-o", "json"] + position + arguments, environment: pair.variables)
                    }
                    let failed = start()
                    #expect(await failed.status == 6 && failed.out.all.isEmpty)
                    let error = try ProcessJSON(failed.err.lines.last ?? "").object("error")
                    #expect(error?.number("floor") == 1 && error?.number("head") == head, "\(failed.err.all)")
                    #expect(error?["message"]?.contains("--on-compacted resnapshot or skip") == true)

                    let anew = start("--on-compacted", "resnapshot", "--control", "--no-follow")
                    #expect(await anew.status == 0, "\(anew.err.all)")
                    let lines = try anew.out.lines.map(ProcessJSON.init)
                    let landmarks = Array(repeating: "landmark", count: Int(head))
                    #expect(lines.map { $0["type"] } == ["compacted"] + landmarks + ["synced"])
                    #expect(lines.first?.number("rev") == Double(position[1]) && lines.last?.number("rev") == head)

                    let on = start("--on-compacted", "skip", "-n", "1", "-q")
                    let told = try ProcessJSON(try await on.err.next { $0.contains("compacted") }).object("notice")
                    #expect(told?.number("after") == head && told?["message"]?.contains("Skipped") == true)
                    head = Double(try await Self.add(1, client))
                    #expect(await on.status == 0)
                    #expect(try on.out.lines.map { try ProcessJSON($0).number("rev") } == [head])
                }
            }
        }
    }

    @Test("control lines among the changes or on stderr, never both")
    func control() async throws {
        try await withProcessPair { pair in
            try await withClient(try await pair.client()) { client in
                try await Self.add(1, client)
                let json = pair.live("tail", "--snapshot", "-o", "json", "--control")
                let text = pair.live("tail", "--snapshot", "--control")
                let plain = pair.live("tail", "--snapshot")
                let quiet = pair.live("tail", "--snapshot", "-q")
                let tails = [json, text, plain, quiet]
                _ = try await text.out.next { $0 == "# synced at 1" }
                _ = try await json.out.next { $0.contains("synced") }
                _ = try await plain.err.next { $0 == "synced at 1" }
                _ = try await quiet.out.next { $0.contains("init") }
                // Changes written after the feed's first line arrive through the feed, so neither run has only read
                // the log.
                for _ in 0..<2 {
                    try await Self.add(1, client)
                    for tail in tails { _ = try await tail.out.next { $0.contains("added") } }
                }
                try await pair.storage.slain()
                try await pair.startStorage()
                let resumed = try ProcessJSON(try await json.out.next { $0.contains("\"resumed\"") })
                #expect(resumed.keys == ["type", "epoch", "rev", "run", "replayed"] && resumed.number("rev") == 3)
                _ = try await text.out.next { $0 == "# live again: resumed at 3, replayed 0, 0 lost" }
                _ = try await plain.err.next { $0 == "live again: resumed at 3, replayed 0, 0 lost" }
                try await Self.add(1, client)
                for tail in tails { _ = try await tail.out.next { $0.contains("added") } }
                for tail in tails { await tail.stop() }
                #expect(!json.err.all.contains("resumed") && !text.err.all.contains("resumed"))
                #expect(!plain.out.all.contains("resumed") && !plain.out.all.contains("synced"))
                #expect(quiet.err.all.isEmpty)
            }
        }
    }

    /// Adds landmarks at different places, and waits until the query service has them: each command is another client.
    ///
    /// - Returns: the last revision.
    @discardableResult
    static func add(_ count: Int, _ client: WaymarkClient) async throws -> UInt64 {
        var head: UInt64 = 0
        for number in 0..<count {
            let here = try Coordinate(latitude: Double(number % 90), longitude: 10)
            head = try await client.add(LandmarkDraft(name: "landmark", coordinate: here)).rev
        }
        _ = try await client.list(.byName, limit: 1)
        return head
    }
}
