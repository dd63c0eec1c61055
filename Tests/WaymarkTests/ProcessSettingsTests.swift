// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestTurns
import Testing

@Suite("Services with unusable settings", .inTurn)
struct ProcessSettingsTests {
    @Test(
        "an unknown key, a bad value, an unknown flag: exit status 2, and one sentence with the place",
        arguments: ["waymark-storage", "waymark-query", "waymark"])
    func settings(program: String) async throws {
        try await withBench { bench in
            let first = program == "waymark" ? ["up", "--data", "data"] : []
            func refused(_ arguments: String..., environment: [String: String] = [:]) async throws -> String {
                let result = try await bench.finish(program, first + arguments, environment: environment)
                #expect(result.status == 2 && result.out.isEmpty, "\(arguments): \(result)")
                return result.err.joined(separator: "\n")
            }
            try bench.write("listen: tcp://127.0.0.1:*\nlisen: tcp://127.0.0.1:*\n", to: "unknown.yaml")
            let unknown = try await refused("--config", "unknown.yaml")
            #expect(unknown.contains("unknown.yaml, line 2: lisen is no setting: did you mean listen?"))
            try bench.write("log:\n  level: loud\n", to: "value.yaml")
            let value = try await refused("--config", "value.yaml")
            #expect(value.contains("value.yaml, line 2: log.level: \"loud\""))
            #expect(try await refused("--config", "missing.yaml").contains("missing.yaml: the file cannot be read"))
            #expect(try await refused("--frobnicate", "1").contains("--frobnicate"))
            #expect(try await refused("--config").contains("--config"))
            let service = program == "waymark-storage" ? "STORAGE" : "QUERY"
            let variable = "WAYMARK_\(service)_LISEN"
            #expect(try await refused(environment: [variable: "x"]).contains(variable))
        }
    }

    @Test("help and version are results", arguments: ["waymark-storage", "waymark-query", "waymark"])
    func help(program: String) async throws {
        try await withBench { bench in
            for argument in ["--help", "--version"] {
                let result = try await bench.finish(program, [argument])
                #expect(result.status == 0 && !result.out.isEmpty && result.err.isEmpty)
            }
        }
    }

    @Test("nothing listens beyond this machine unless configured")
    func insecure() async throws {
        try await withBench { bench in
            for arguments in [
                ["waymark-storage", "--data", "data", "--listen", "tcp://0.0.0.0:*"],
                ["waymark-storage", "--data", "data", "--listen", "tcp://127.0.0.1:*", "--changes", "tcp://*:*"],
                ["waymark-query", "--listen", "tcp://0.0.0.0:*"], ["waymark", "up", "--listen", "tcp://0.0.0.0:*"],
            ] {
                let result = try await bench.finish(arguments[0], Array(arguments.dropFirst()))
                #expect(result.status == 1, "\(arguments)")
                #expect(result.err.contains { $0.contains("Refusing to listen on tcp://") && $0.contains("insecure") })
            }
            let told = try bench.start(
                "waymark-storage",
                ["--data", "data", "--listen", "tcp://0.0.0.0:*", "--changes", "tcp://127.0.0.1:*", "--insecure"])
            _ = try await told.err.next { $0.contains("storage ready") && $0.contains("tcp://0.0.0.0:") }
            told.send(SIGTERM)
            #expect(try await told.ended() == 0)
        }
    }

    @Test("a second storage on the same data is refused, with the directory and the process that uses it")
    func secondStorage() async throws {
        try await withProcessPair { pair in
            let data = "\(pair.bench.path)/data"
            let second = try await pair.bench.finish(
                "waymark-storage",
                ["--data", data, "--listen", "tcp://127.0.0.1:*", "--changes", "tcp://127.0.0.1:*"])
            #expect(second.status == 1)
            let sentence = "The data directory \(data) is in use by another process (pid \(pair.storage.pid))"
            #expect(second.err.contains { $0.contains(sentence) }, "\(second.err)")
            let up = try await pair.bench.finish("waymark", ["up", "--data", data, "--listen", "tcp://127.0.0.1:*"])
            #expect(up.status == 1 && up.err.contains { $0.contains(sentence) }, "\(up.err)")
            #expect(try await pair.waymark("add", "x", "0,0").status == 0)
        }
    }
}
