// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Geodesy
import Landmarks
import TestPostgreSQL
import TestProcess
import TestTurns
import Testing
import WaymarkClient

@Suite("A second storage on one PostgreSQL", .ifPostgreSQLIsInstalled, .postgreSQL(), .inTurn)
struct ProcessStandbyTests {
    @Test("it waits without a socket, is well only for who asks for a standby, and takes over with the same keys")
    func standby() async throws {
        let url = try TestServer.current().url()
        try await withBench { bench in
            let engine = ["WAYMARK_STORAGE_ENGINE": url]
            for name in ["first", "second"] {
                let listener = try Ports.endpoint().dropFirst("tcp://".count)
                try bench.write(
                    "data: data-\(name)\naccounts: required\nlisten: \(try Ports.endpoint())\n"
                        + "changes: \(try Ports.endpoint())\nkeys: { own: own.key, service: service.key }\n"
                        + "http: { listen: \"\(listener)\" }\n", to: "\(name).yaml")
            }
            func health(_ name: String, _ more: String...) async throws -> ProcessResult {
                try await bench.finish(
                    "waymark-storage", ["health", "--config", "\(name).yaml"] + more, environment: engine)
            }
            /// A disk that needs more than half a second for a small file is a problem, and on a busy machine it may.
            func untilReady(_ name: String, _ more: String...) async throws -> [String] {
                let deadline = ContinuousClock.now + .seconds(120)
                while true {
                    let result = try await bench.finish(
                        "waymark-storage", ["health", "--config", "\(name).yaml", "--timeout", "60s"] + more,
                        environment: engine)
                    if result.out == ["ready"] || ContinuousClock.now > deadline { return result.out }
                }
            }
            let first = try bench.start("waymark-storage", ["--config", "first.yaml"], environment: engine)
            _ = try await first.err.next { $0.contains("storage ready") }
            let key = try String(contentsOfFile: bench.path + "/own.key", encoding: .utf8)
            #expect(try await untilReady("first", "--standby") == ["ready"])
            #expect(!FileManager.default.fileExists(atPath: bench.path + "/data-first/storage.key"))

            let second = try bench.start("waymark-storage", ["--config", "second.yaml"], environment: engine)
            _ = try await second.err.next { $0.contains("this one waits to take over") }
            let waiting = try await health("second", "--standby", "--timeout", "60s")
            #expect(waiting.status == 0 && waiting.err.isEmpty, "\(waiting)")
            #expect(waiting.out == ["waiting", "Another storage has the database; this one waits to take over."])
            let plain = try await health("second", "--timeout", "300ms")
            #expect(plain.status == 1 && plain.out.first?.hasPrefix("Nobody listens at") == true, "\(plain)")
            // Who has no listener cannot be asked.
            let deaf = try await health("second", "--standby", "--http-listen", "")
            #expect(deaf.status == 2 && deaf.out.isEmpty, "\(deaf)")

            try await first.slain()
            let begun = ContinuousClock.now
            _ = try await second.err.next { $0.contains("storage ready") }
            // Promised is five seconds; the machine may be busy.
            #expect(ContinuousClock.now - begun < .seconds(100))
            #expect(try await untilReady("second") == ["ready"])
            #expect(try String(contentsOfFile: bench.path + "/own.key", encoding: .utf8) == key)
            // Nobody is there any more: neither ready nor waiting.
            #expect(try await health("first", "--standby", "--timeout", "300ms").status == 1)
            second.send(SIGTERM)
            #expect(try await second.ended() == 0)
        }
    }

    @Test("a frozen one is replaced; when it wakes it ends, and nobody replaces the new one")
    func frozen() async throws {
        let server = try TestServer.current()
        try server.psql("CREATE DATABASE frozen")
        let engine = ["WAYMARK_STORAGE_ENGINE": server.url(database: "frozen")]
        try await withBench { bench in
            func endpoint(_ name: String) -> String { "ipc://\(bench.path)/\(name)" }
            func start(_ name: String, until line: String) async throws -> Child {
                try bench.write(
                    "data: data-\(name)\nlisten: \(endpoint("\(name)-s"))\nchanges: \(endpoint("\(name)-c"))\n",
                    to: "\(name).yaml")
                let program = try bench.start("waymark-storage", ["--config", "\(name).yaml"], environment: engine)
                _ = try await program.err.next { $0.contains(line) }
                return program
            }
            func write(_ name: String) async throws {
                try await withClient(
                    try await WaymarkClient(
                        .init(endpoint: endpoint("\(name)-s"), user: "ann", timeout: .seconds(60)))
                ) { client in
                    let place = try Coordinate(latitude: 1, longitude: 2)
                    _ = try await client.add(LandmarkDraft(name: "of \(name)", coordinate: place))
                }
            }
            let first = try await start("first", until: "storage ready")
            try await write("first")
            let second = try await start("second", until: "this one waits to take over")
            first.send(SIGSTOP)
            let silent = ContinuousClock.now
            _ = try await second.err.next { $0.contains("storage ready") }
            let waited = ContinuousClock.now - silent
            #expect(waited > .seconds(1) && waited < .seconds(60), "\(waited)")
            try await write("second")
            let third = try await start("third", until: "this one waits to take over")
            first.send(SIGCONT)
            #expect(try await first.ended() != 0)
            // Longer than a waiting storage takes to find a free lock, and than it has patience.
            for _ in 0..<5 {
                try await Task.sleep(for: .seconds(1))
                try await write("second")
            }
            third.send(SIGTERM)
            #expect(try await third.ended() == 0)
            #expect(try await third.err.complete().allSatisfy { !$0.contains("storage ready") })
            second.send(SIGTERM)
            #expect(try await second.ended() == 0)
        }
    }
}
