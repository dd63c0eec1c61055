// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import TestTurns
import Testing
import WaymarkClient
import WaymarkJSON

@testable import WaymarkCLI

@Suite("tail and the past", .inShortTurn)
struct CLITailPastTests {
    @Test("from and to times")
    func times() async throws {
        try await withProcessPair { pair in
            try await withClient(try await pair.client()) { client in
                try await CLITailTests.add(2, client)
                let second = try #require(try await client.changes(after: Self.start(client)).changes.last)
                // Storage's clock, which is this machine's, counts milliseconds. The third change comes after `between`.
                try await until { (Self.now ?? 0) > second.change.at + 2 }
                try await CLITailTests.add(2, client)
                let between = Timestamp.rfc3339(second.change.at + 1)
                func revisions(_ arguments: String...) async -> [String] {
                    let tail = CLILive(
                        ["tail", "-o", "template={rev}", "--no-follow"] + arguments, environment: pair.variables)
                    #expect(await tail.status == 0, "\(tail.err.all)")
                    return tail.out.lines
                }
                #expect(await revisions("--since", between) == ["3", "4"])
                #expect(await revisions("--from-start", "--until", between) == ["1", "2"])
                #expect(await revisions("--since", "1h") == ["1", "2", "3", "4"])
                #expect(await revisions("--until", "1h") == [])
                #expect(await revisions("--since", "1h", "--until", between) == ["1", "2"])
                try await Self.followUntilSoon(pair, client)
            }
        }
    }

    /// Until a time to come. The last change has to be written before it, which a busy machine may not manage: then it
    /// is tried once more, with a later time.
    private static func followUntilSoon(_ pair: ProcessPair, _ client: WaymarkClient) async throws {
        var revisions = ["3", "4"]
        for milliseconds: UInt64 in [1_500, 6_000, 24_000] {
            let soon = try #require(now) + milliseconds
            let live = pair.live(
                "tail", "--since", "2", "--until", Timestamp.rfc3339(soon), "-o", "template={rev}")
            _ = try await live.err.next { $0.contains("Following") }
            revisions.append("\(try await CLITailTests.add(1, client))")
            let isBefore = try #require(now) < soon
            #expect(await live.status == 0)
            guard isBefore else { continue }
            #expect(live.out.lines == revisions)
            return
        }
        Issue.record("no change was written before the time")
    }

    @Test("a compacted log: from the oldest change, from a time, failing, skipping, resnapshot")
    func compacted() async throws {
        try await withProcessPair { pair in
            try await withClient(try await pair.client()) { client in
                try await CLITailTests.add(8, client)
                #expect(try await client.compact(below: 6) == (6, 8))
                func run(_ arguments: String...) async -> (status: Int32, out: [String], err: String) {
                    let tail = CLILive(
                        ["tail", "-o", "template={rev} {op}", "--no-follow"] + arguments, environment: pair.variables)
                    return (await tail.status, tail.out.lines, tail.err.all)
                }
                let kept = ["6 added", "7 added", "8 added"]
                for start in [["--from-start"], ["--since", "1h"]] {
                    let oldest = CLILive(
                        ["tail", "-o", "template={rev} {op}", "--no-follow"] + start, environment: pair.variables)
                    #expect(await oldest.status == 0, "\(oldest.err.all)")
                    #expect(oldest.out.lines == kept)
                    #expect(oldest.err.lines == ["Changes before revision 6 are no longer kept."])
                }
                #expect(await run("--since", "5").out == kept)
                let failed = await run("--since", "2")
                #expect(failed.status == 6 && failed.out.isEmpty)
                #expect(failed.err.contains("The log has revisions 6 to 8."))
                let skipped = await run("--since", "2", "--on-compacted", "skip")
                #expect(skipped.status == 0 && skipped.out == kept)
                #expect(skipped.err.contains("Skipped 3 revisions: continuing after revision 5."), "\(skipped.err)")
                let anew = await run("--since", "2", "--on-compacted", "resnapshot")
                #expect(anew.status == 0 && anew.out == Array(repeating: "8 init", count: 8))
                #expect(anew.err.contains("The present landmarks follow."))
            }
        }
    }

    private static func start(_ client: WaymarkClient) async throws -> Position {
        Position(epoch: try await client.hello().position.epoch, rev: 0)
    }

    /// The time in Unix milliseconds.
    private static var now: UInt64? { UInt64(exactly: (Date.now.timeIntervalSince1970 * 1_000).rounded()) }
}
