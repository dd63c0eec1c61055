// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestPostgreSQL
import TestTurns
import Testing

@Suite(
    "A second storage on one PostgreSQL", .ifPostgreSQLIsInstalled, .postgreSQL(), .inTurn, .timeLimit(.minutes(5)))
struct ProcessStandbyTests {
    @Test("it waits without a socket, is well only for who asks for a standby, and takes over with the same keys")
    func standby() async throws {
        let url = try TestServer.current().url()
        try await withBench { bench in
            let engine = ["WAYMARK_STORAGE_ENGINE": url]
            for name in ["first", "second"] {
                let listener = try ProcessPorts.endpoint().dropFirst("tcp://".count)
                try bench.write(
                    "data: data-\(name)\naccounts: required\nlisten: \(try ProcessPorts.endpoint())\n"
                        + "changes: \(try ProcessPorts.endpoint())\nkeys: { own: own.key, service: service.key }\n"
                        + "http: { listen: \"\(listener)\" }\n", to: "\(name).yaml")
            }
            func health(_ name: String, _ more: String...) async throws -> ProcessResult {
                try await bench.finish(
                    "waymark-storage", ["health", "--config", "\(name).yaml"] + more, environment: engine)
            }
            let first = try bench.start("waymark-storage", ["--config", "first.yaml"], environment: engine)
            _ = try await first.err.next { $0.contains("storage ready") }
            let key = try String(contentsOfFile: bench.path + "/own.key", encoding: .utf8)
            #expect(try await health("first", "--standby").out == ["ready"])
            #expect(!FileManager.default.fileExists(atPath: bench.path + "/data-first/storage.key"))

            let second = try bench.start("waymark-storage", ["--config", "second.yaml"], environment: engine)
            _ = try await second.err.next { $0.contains("this one waits to take over") }
            let waiting = try await health("second", "--standby")
            #expect(waiting.status == 0 && waiting.err.isEmpty, "\(waiting)")
            #expect(waiting.out == ["waiting", "Another storage has the database; this one waits to take over."])
            let plain = try await health("second", "--timeout", "300ms")
            #expect(plain.status == 1 && plain.out.first?.hasPrefix("Nobody listens at") == true, "\(plain)")
            // Who has no listener cannot be asked.
            let deaf = try await health("second", "--standby", "--http-listen", "")
            #expect(deaf.status == 2 && deaf.out.isEmpty, "\(deaf)")

            try await first.slay()
            let begun = ContinuousClock.now
            _ = try await second.err.next { $0.contains("storage ready") }
            // Promised is five seconds; the machine may be busy.
            #expect(ContinuousClock.now - begun < .seconds(15))
            #expect(try await health("second").out == ["ready"])
            #expect(try String(contentsOfFile: bench.path + "/own.key", encoding: .utf8) == key)
            // Nobody is there any more: neither ready nor waiting.
            #expect(try await health("first", "--standby", "--timeout", "300ms").status == 1)
            second.send(SIGTERM)
            #expect(try await second.ended() == 0)
        }
    }
}
