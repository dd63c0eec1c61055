// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@Suite("Output on a terminal", .inTurn)
struct ProcessTerminalTests {
    @Test("colour on a terminal only, and none with NO_COLOR")
    func colour() async throws {
        try await withProcessPair { pair in
            _ = try await ProcessCommandTests.text(pair.waymark("add", "x", "0,0"))
            func shown(_ environment: [String: String], _ arguments: String...) async throws -> String {
                let result = try await pair.bench.finish(
                    "waymark", ["near", "0,0"] + arguments, environment: pair.variables.merging(environment) { $1 },
                    stdout: .terminal)
                #expect(result.status == 0 && !result.out.isEmpty, "\(result)")
                return result.out.joined()
            }
            #expect(try await shown([:]).contains("\u{1b}[1m"))
            #expect(try await !shown(["NO_COLOR": "1"]).contains("\u{1b}"))
            #expect(try await !shown(["TERM": "dumb"]).contains("\u{1b}"))
            #expect(try await !shown([:], "--color", "never").contains("\u{1b}"))
            #expect(try await !shown([:], "-o", "json").contains("\u{1b}"))
            #expect(try await !pair.waymark("near", "0,0").out.joined().contains("\u{1b}"))
        }
    }

    @Test("text from other people cannot control it")
    func controlCharacters() async throws {
        try await withProcessPair { pair in
            let hostile = "red \u{1b}[31m bell \u{7} turned \u{202e} end"
            let added = try await ProcessCommandTests.json(
                pair.waymark("add", "name \u{1b}[2J", "0,0", "--note", hostile, "-o", "json"))
            let id = try #require(added[0]["id"])
            let escaped = #"red \u{1b}[31m bell \u{7} turned \u{202e} end"#
            for result in [
                try await pair.waymark("show", id), try await pair.waymark("tail", "--no-follow"),
                try await pair.waymark("list"), try await pair.waymark("near", "0,0"),
            ] {
                let text = try ProcessCommandTests.text(result).joined(separator: "\n")
                #expect(text.contains(#"name \u{1b}[2J"#))
                #expect(!text.unicodeScalars.contains { ($0.value < 32 && $0 != "\n") || $0 == "\u{202e}" })
            }
            #expect(try await pair.waymark("show", id).out.contains { $0.contains(escaped) })
            let shown = try await ProcessCommandTests.json(pair.waymark("show", id, "-o", "json"))
            #expect(shown[0].list("notes")?.first?["text"] == hostile)
            #expect(!shown[0].line.unicodeScalars.contains { $0.value < 32 })
        }
    }
}
