// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

@Suite("Settings that change while a service runs", .timeLimit(.minutes(2)))
struct ProcessReloadTests {
    private static func source(_ name: String, every: String = "1h") -> String {
        "  \(name):\n    url: file:\(name).json\n    every: \(every)\n"
    }

    @Test("SIGHUP adds, changes and removes sources; a wrong file changes nothing; what cannot change is named")
    func sources() async throws {
        try await withBench { bench in
            for name in ["a", "b", "c"] {
                try bench.write(
                    ProcessRow.file([ProcessRow(name: "Zanzibar \(name)", lat: 1, lng: 2)]), to: "\(name).json")
            }
            let pair = try await ProcessPair(bench, sources: Self.source("a"))
            let err = pair.query.err
            let first = try await err.next { $0.contains("source ingested") }
            #expect(try ProcessJSON(first)["source"] == "a")
            func rewrite(_ sources: String, more: String = "") throws {
                let old = try String(contentsOfFile: "\(bench.path)/query.yaml", encoding: .utf8)
                let head = old.components(separatedBy: "\n").prefix(2).joined(separator: "\n")
                try bench.write("\(head)\n\(more)sources:\n\(sources)", to: "query.yaml")
                pair.query.send(SIGHUP)
            }

            try rewrite(Self.source("b"))
            #expect(try ProcessJSON(try await err.next { $0.contains("source removed") })["source"] == "a")
            #expect(try ProcessJSON(try await err.next { $0.contains("source added") })["source"] == "b")
            #expect(try ProcessJSON(try await err.next { $0.contains("source ingested") })["source"] == "b")

            // Where a is now there is no file: an hour would be long to wait until somebody tells.
            try rewrite(Self.source("b").replacingOccurrences(of: "b.json", with: "c.json"))
            #expect(try ProcessJSON(try await err.next { $0.contains("source changed") })["source"] == "b")
            _ = try await err.next { $0.contains("source ingested") }

            try rewrite(Self.source("a") + "lisen: x\n")
            let wrong = try ProcessJSON(try await err.next { $0.contains("cannot be read anew") })
            #expect(
                wrong["level"] == "error"
                    && wrong["error"]?.contains("lisen is no setting: did you mean listen?") == true)
            try rewrite(Self.source("a").replacingOccurrences(of: "file:a.json", with: "gopher:a"))
            let useless = try ProcessJSON(try await err.next { $0.contains("cannot be read anew") })
            #expect(useless["error"]?.contains("the source a cannot be used") == true, "\(useless.line)")

            try rewrite(
                Self.source("b").replacingOccurrences(of: "b.json", with: "c.json"),
                more: "drain: 9s\nlog:\n  level: debug\n")
            let read = try ProcessJSON(try await err.next { $0.contains("settings read anew") })
            // Neither wrong file has left anything: b is as it was.
            #expect(read["changed"] == "log.level")
            let left = try ProcessJSON(try await err.next { $0.contains("cannot change while it runs") })
            #expect(left["level"] == "warning" && left["settings"] == "drain")

            let listed = try await ProcessCommandTests.json(pair.waymark("list", "--by", "name", "-o", "json"))
            #expect(Set(listed.compactMap { $0["name"] }).isSuperset(of: ["Zanzibar a", "Zanzibar b", "Zanzibar c"]))
            let request = try ProcessJSON(try await err.next { $0.contains("\"kind\":\"list\"") })
            #expect(
                request["result"] == "ok" && request["level"] == "debug" && request["us"].flatMap { Int($0) } != nil)
            for line in pair.query.err.all + pair.storage.err.all {
                let event = try ProcessJSON(line)
                #expect(event.keys.prefix(4) == ["time", "level", "service", "message"])
                #expect(!line.contains("Zanzibar"), "nothing of a landmark is in the log")
            }
        }
    }

    @Test("a file that changes is noticed without a signal", arguments: ["storage", "query"])
    func file(service: String) async throws {
        try await withProcessPair { pair in
            let program = service == "storage" ? pair.storage : pair.query
            let file = "\(service).yaml"
            let text = try String(contentsOfFile: "\(pair.bench.path)/\(file)", encoding: .utf8)
            try pair.bench.write(text + "log:\n  level: debug\n", to: file)
            _ = try await program.err.next { $0.contains("settings read anew") && $0.contains("log.level") }
            #expect(try await pair.waymark("near", "0,0").status == 0)
            _ = try await program.err.next { $0.contains("\"kind\":") }
            try pair.bench.write(text + "log:\n  level: info\n  format: text\n", to: file)
            _ = try await program.err.next { $0.contains("cannot change while it runs") && $0.contains("log.format") }
        }
    }

    @Test("text is for a terminal or for who asks for it")
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
