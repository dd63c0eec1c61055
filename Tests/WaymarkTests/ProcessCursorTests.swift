// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Landmarks
import TestProcess
import TestTurns
import Testing
import WaymarkClient

@testable import WaymarkCLI

@Suite("tail's cursor file", .inTurn)
struct ProcessCursorTests {
    @Test("repeated kill -9 of tail: its output has no gap")
    func killed() async throws {
        try await withProcessPair { pair in
            try await withClient(try await pair.client()) { client in
                let writer = CLIWriter(client)
                var runs: [[UInt64]] = []
                for number in 0..<6 {
                    let tail = try Self.start(pair)
                    for _ in 0..<(20 + number * 7) { _ = try await tail.out.next() }
                    try await tail.slain()
                    runs.append(try Self.revisions(try await tail.out.complete()))
                }
                let head = try await writer.stop()
                let last = try Self.start(pair, "--until", "\(head)")
                #expect(try await last.ended() == 0)
                runs.append(try Self.revisions(try await last.out.complete()))

                var seen: UInt64 = 0
                for run in runs {
                    // The last one has nothing to print if the one before it was killed after the last write.
                    guard let first = run.first else { continue }
                    #expect(first <= seen + 1, "a hole after \(seen)")
                    #expect(run == Array(first...(first + UInt64(run.count) - 1)))
                    seen = max(seen, run.last ?? 0)
                }
                #expect(seen == head)
                let kept = try ProcessJSON(try String(contentsOfFile: "\(pair.bench.path)/seen", encoding: .utf8))
                #expect(kept.keys == ["epoch", "rev", "run"] && kept.number("rev") == Double(head))
                #expect(!FileManager.default.fileExists(atPath: "\(pair.bench.path)/seen.new"))
            }
        }
    }

    @Test("the options set the first beginning, later runs continue from the file")
    func goesOn() async throws {
        try await withProcessPair { pair in
            try await withClient(try await pair.client()) { client in
                try await CLITailTests.add(2, client)
                func printed(_ arguments: String...) async throws -> [UInt64] {
                    let result = try await pair.bench.finish(
                        "waymark", ["tail", "-o", "json", "--no-follow", "--cursor-file", "seen"] + arguments,
                        environment: pair.variables)
                    #expect(result.status == 0, "\(result.err)")
                    return try Self.revisions(result.out)
                }
                #expect(try await printed("--new") == [])
                try await CLITailTests.add(2, client)
                #expect(try await printed("--limit", "1") == [3])
                #expect(try await printed("--from-start") == [4])
                #expect(try await printed("--from-start") == [])
                // Revisions that the filter excludes count as done too.
                try await CLITailTests.add(2, client)
                #expect(try await printed("--kind", "none") == [])
                #expect(try await printed() == [])
            }
        }
    }

    @Test("at a signal the file has the position of the last line")
    func interrupted() async throws {
        try await withProcessPair { pair in
            try await withClient(try await pair.client()) { client in
                for (signal, status) in [(SIGINT, Int32(130)), (SIGTERM, 143)] {
                    let tail = try Self.start(pair)
                    let head = try await CLITailTests.add(5, client)
                    _ = try await tail.out.next { $0.contains("\"rev\":\(head),\"at\"") }
                    tail.send(signal)
                    #expect(try await tail.ended() == status)
                    let kept = try CursorFile(path: "\(pair.bench.path)/seen").read()
                    // The line may be printed a moment before the file is updated.
                    #expect(try #require(kept).rev >= head - 1)
                }
            }
        }
    }

    @Test("a file that is no cursor file is an error, and stays unchanged")
    func unusable() async throws {
        try await withProcessPair { pair in
            for text in ["", "{", "[]", "{\"epoch\":\"x\",\"rev\":1}", "{\"rev\":1}"] {
                try pair.bench.write(text, to: "seen")
                let result = try await pair.waymark("tail", "--no-follow", "--cursor-file", "seen")
                #expect(result.status == 1 && result.out.isEmpty)
                #expect(result.err == ["error: The cursor file seen holds no position: remove it to start over."])
                #expect(try String(contentsOfFile: "\(pair.bench.path)/seen", encoding: .utf8) == text)
            }
            let nowhere = try await pair.waymark("tail", "--no-follow", "--cursor-file", "no/such/folder")
            #expect(nowhere.status == 1 && nowhere.err.first?.contains("No such file or directory") == true)
        }
    }

    private static func start(_ pair: ProcessPair, _ arguments: String...) throws -> Child {
        try pair.bench.start(
            "waymark", ["tail", "-o", "json", "--from-start", "--cursor-file", "seen"] + arguments,
            environment: pair.variables)
    }

    private static func revisions(_ lines: [String]) throws -> [UInt64] {
        try lines.compactMap { line in
            // A kill may have cut off a line.
            guard line.hasSuffix("}") else { return nil }
            return try UInt64(ProcessJSON(line).number("rev") ?? 0)
        }
    }
}
