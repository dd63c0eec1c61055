// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Landmarks
import TestTurns
import Testing
import WaymarkClient

@Suite("Settings that change while a service runs", .inTurn)
struct ProcessReloadTests {
    private static func source(_ name: String, every: String = "1h") -> String {
        "  \(name):\n    url: file:\(name).json\n    every: \(every)\n"
    }

    @Test("SIGHUP adds, changes and removes sources; an invalid file changes nothing; fixed settings are named")
    func sources() async throws {
        try await withBench { bench in
            for name in ["a", "b", "c"] {
                try bench.write(
                    ProcessRow.file([ProcessRow(name: "Zanzibar \(name)", lat: 1, lng: 2)]), to: "\(name).json")
            }
            let pair = try await ProcessPair(bench, sources: Self.source("a"))
            /// The first line of the log with all these words, whenever it was written.
            func told(_ words: String...) async throws -> ProcessJSON {
                try ProcessJSON(
                    try await pair.query.err.first { line in words.allSatisfy { line.contains($0) } })
            }
            _ = try await told("source ingested", #""a""#)
            func rewrite(_ sources: String, more: String = "") throws {
                let old = try String(contentsOfFile: "\(bench.path)/query.yaml", encoding: .utf8)
                let head = old.components(separatedBy: "\n").prefix(2).joined(separator: "\n")
                try bench.write("\(head)\n\(more)sources:\n\(sources)", to: "query.yaml")
                pair.query.send(SIGHUP)
            }

            try rewrite(Self.source("b"))
            _ = try await told("source removed", #""a""#)
            _ = try await told("source added", #""b""#)
            _ = try await told("source ingested", #""b""#)

            // A changed address is fetched at once, without waiting for the hour.
            try rewrite(Self.source("b").replacingOccurrences(of: "b.json", with: "c.json"))
            _ = try await told("source changed", #""b""#)
            try await withClient(try await pair.client()) { client in
                try await until("c is there", within: .seconds(120)) { try await client.hello().position.rev >= 3 }
                #expect(try await client.hello().position.rev == 3)
            }

            try rewrite(Self.source("a") + "lisen: x\n")
            let wrong = try await told("cannot be reloaded", "lisen is no setting: did you mean listen?")
            #expect(wrong["level"] == "error")
            try rewrite(Self.source("a").replacingOccurrences(of: "file:a.json", with: "gopher:a"))
            let useless = try await told("cannot be reloaded", "the source a cannot be used")
            #expect(useless["level"] == "error")

            try rewrite(
                Self.source("b").replacingOccurrences(of: "b.json", with: "c.json"),
                more: "drain: 9s\nlog:\n  level: debug\n")
            // Neither invalid file had an effect: b is unchanged.
            _ = try await told("settings reloaded", #""changed":"log.level""#)
            let left = try await told("need a restart", #""settings":"drain""#)
            #expect(left["level"] == "warning")

            let listed = try await ProcessCommandTests.json(pair.waymark("list", "--by", "name", "-o", "json"))
            #expect(Set(listed.compactMap { $0["name"] }).isSuperset(of: ["Zanzibar a", "Zanzibar b", "Zanzibar c"]))
            let request = try await told(#""kind":"list""#)
            #expect(
                request["result"] == "ok" && request["level"] == "debug" && request.number("us") != nil)
            for line in pair.query.err.all + pair.storage.err.all {
                let event = try ProcessJSON(line)
                #expect(event.keys.prefix(4) == ["time", "level", "service", "message"])
                #expect(!line.contains("Zanzibar"), "nothing of a landmark is in the log")
            }
        }
    }

    @Test("a changed file is noticed without a signal", arguments: ["storage", "query"])
    func file(service: String) async throws {
        try await withProcessPair { pair in
            let program = service == "storage" ? pair.storage : pair.query
            let file = "\(service).yaml"
            let text = try String(contentsOfFile: "\(pair.bench.path)/\(file)", encoding: .utf8)
            try pair.bench.write(text + "log:\n  level: debug\n", to: file)
            _ = try await program.err.next { $0.contains("settings reloaded") && $0.contains("log.level") }
            #expect(try await pair.waymark("sources").status == 0)
            _ = try await program.err.next { $0.contains("\"kind\":") }
            try pair.bench.write(text + "log:\n  level: info\n  format: text\n", to: file)
            _ = try await program.err.next { $0.contains("need a restart") && $0.contains("log.format") }
        }
    }

    @Test("log lines are text on a terminal or on request")
    func format() async throws {
        try await withBench { bench in
            let text = try bench.start(
                "waymark-storage",
                [
                    "--data", "data", "--listen", "ipc://\(bench.path)/s", "--changes", "ipc://\(bench.path)/c",
                    "--log-format", "text",
                ])
            let line = try await text.err.next { $0.contains("storage ready") }
            #expect(
                line.contains(" info waymark-storage: ") && line.hasSuffix("[StorageService] storage ready"), "\(line)")
            let second = try await bench.finish(
                "waymark-storage", ["--data", "data", "--listen", "ipc://\(bench.path)/t"])
            let told = try ProcessJSON(try #require(second.err.first { $0.contains("cannot serve") }))
            #expect(second.status == 1 && told["level"] == "critical")
            #expect(told["error"]?.contains("is in use by another process (pid \(text.pid))") == true)
        }
    }
}
