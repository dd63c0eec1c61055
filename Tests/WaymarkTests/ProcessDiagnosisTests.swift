// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcess
import TestTurns
import Testing

@Suite("The reason that a person is told", .inTurn)
struct ProcessDiagnosisTests {
    @Test("no machine has the name in the endpoint")
    func unknownHost() async throws {
        try await withBench { bench in
            let near = try await bench.waymark(
                "near", "0,0", "--connect", "tcp://no-such-host.invalid:7420", "--timeout", "60s")
            #expect(near.status == 3 && near.err.joined().contains("no machine of that name is known"), "\(near)")
        }
    }

    @Test("a query service without storage says once for what it waits, refuses, and says when storage is there")
    func withoutStorage() async throws {
        try await withBench { bench in
            let commands = "ipc://\(bench.path)/commands.ipc"
            let connect = ["WAYMARK_CONNECT": "ipc://\(bench.path)/query.ipc"]
            let query = try bench.start(
                "waymark-query", ["--listen", "ipc://\(bench.path)/query.ipc", "--storage", commands])
            let told = try ProcessJSON(await query.err.next { $0.contains("waiting for storage") })
            #expect(told["level"] == "warning" && told["storage"] == commands, "\(told.line)")
            #expect(told["message"]?.contains("start waymark-storage") == true, "\(told.line)")

            let status = try await bench.waymark("status", "--timeout", "10s", environment: connect)
            let text = (status.out + status.err).joined(separator: "\n")
            #expect(status.status == 3, "\(status)")
            #expect(text.contains("was never reached") && text.contains("reads are refused"), "\(text)")
            #expect(!text.contains("up to date") && !text.contains("reads are answered"), "\(text)")
            var near = try await bench.waymark("near", "0,0", "--timeout", "10s", environment: connect)
            // A client repeats what was refused, and on a busy machine its last copy may have too little time.
            for _ in 0..<5 where near.status == 4 {
                near = try await bench.waymark("near", "0,0", "--timeout", "10s", environment: connect)
            }
            #expect(near.status == 3, "\(near)")

            let storage = try bench.start(
                "waymark-storage",
                ["--data", "data", "--listen", commands, "--changes", "ipc://\(bench.path)/changes.ipc"])
            let opened = try ProcessJSON(await storage.err.next { $0.contains("storage ready") })
            #expect(opened.number("head") == 0 && opened["head"] == nil, "\(opened.line)")
            _ = try await query.err.next { $0.contains("storage connected") }
            let ready = try ProcessJSON(await query.err.next { $0.contains("query ready") })
            #expect(ready.number("landmarks") != nil, "\(ready.line)")
            #expect(query.err.all.filter { $0.contains("waiting for storage") }.count == 1)
        }
    }

    @Test("without a key: that one is needed; a health command asks the HTTP listener, or says that somebody listens")
    func noKey() async throws {
        try await withBench { bench in
            let (endpoint, listener) = (try Ports.endpoint(), try Ports.endpoint().dropFirst(6))
            let commands = "ipc://\(bench.path)/commands.ipc"
            let storage = try bench.start(
                "waymark-storage",
                [
                    "--accounts", "required", "--data", "data", "--listen", commands, "--changes",
                    "ipc://\(bench.path)/changes.ipc",
                ])
            _ = try await storage.err.next { $0.contains("storage ready") }
            let query = try bench.start(
                "waymark-query",
                [
                    "--accounts", "required", "--keys-service", "\(bench.path)/data/service.key", "--storage", commands,
                    "--listen", endpoint, "--http-listen", String(listener),
                ])
            _ = try await query.err.next { $0.contains("query ready") }

            let near = try await bench.waymark("near", "0,0", "--connect", endpoint)
            let sentence = near.err.joined()
            #expect(near.status == 11 && sentence.contains("requires accounts"), "\(near)")
            #expect(!sentence.contains("Nobody answers") && sentence.contains("waymark login"), "\(near)")
            for (service, asked) in [("waymark-query", endpoint), ("waymark-storage", commands)] {
                let health = try await bench.finish(service, ["health", "--timeout", "10s", "--listen", asked])
                #expect(health.status == 1 && health.out.count == 1, "\(health)")
                #expect(health.out.first?.contains("\(asked) requires accounts") == true, "\(health)")
            }
            // On a busy machine its loop may take longer to answer than it grants itself.
            var health: ProcessResult?
            try await until("it is healthy, after \(String(describing: health))", within: .seconds(120)) {
                health = try await bench.finish(
                    "waymark-query",
                    ["health", "--listen", endpoint, "--http-listen", String(listener), "--timeout", "30s"])
                return health?.status == 0
            }
            #expect(health?.out == ["ready"])
        }
    }

    @Test("nobody signs in at a service without accounts")
    func noAccounts() async throws {
        try await withProcessPair(.tcp) { pair in
            let login = try await pair.waymark("login", "ann")
            let sentence = login.err.joined()
            #expect(login.status == 1 && sentence.contains("\(pair.endpoint) has no accounts"), "\(login)")
            #expect(!sentence.contains("Nobody answers"), "\(login)")
        }
    }

    @Test("an endpoint that is taken, or whose folder is not there, is the only thing that a start complains of")
    func endpoints() async throws {
        try await withProcessPair(.tcp) { pair in
            let bench = pair.bench
            for (listen, words) in [
                (pair.endpoint, "The endpoint \(pair.endpoint) is in use already"),
                ("ipc://\(bench.path)/none/s", "The folder of ipc://\(bench.path)/none/s does not exist"),
            ] {
                let second = try await bench.finish(
                    "waymark-storage",
                    [
                        "--data", "other", "--listen", listen, "--changes", "tcp://127.0.0.1:*", "--http-listen",
                        "127.0.0.1:0", "--log-format", "text",
                    ])
                #expect(second.status == 1, "\(second)")
                #expect(second.err.last?.hasPrefix("waymark-storage: \(words)") == true, "\(second.err)")
                #expect(!second.err.contains { $0.contains("Cancellation") || $0.contains("zmq_") }, "\(second.err)")
            }
            let up = try await bench.waymark("up", "--data", "third", "--no-web", "--listen", pair.endpoint)
            #expect(up.status == 1 && up.err.joined().contains("The address \(pair.endpoint) is taken"), "\(up)")
            #expect(up.err.joined().contains("--listen"), "\(up)")
        }
    }

    @Test("a folder that cannot be made, and one in the place of the database")
    func folders() async throws {
        try await withBench { bench in
            let places = ["--listen", "tcp://127.0.0.1:*", "--changes", "tcp://127.0.0.1:*", "--log-format", "text"]
            try FileManager.default.createDirectory(
                atPath: "\(bench.path)/data/waymark.sqlite", withIntermediateDirectories: true)
            for (data, words) in [
                ("/proc/nope", "The data directory /proc/nope cannot be made"),
                ("/dev/null", "The data directory /dev/null cannot be used"),
                ("data", "data/waymark.sqlite is not a database of Waymark"),
            ] {
                let storage = try await bench.finish("waymark-storage", ["--data", data] + places)
                #expect(storage.status == 1, "\(storage)")
                #expect(storage.err.last?.contains(words) == true, "\(storage.err)")
                #expect(storage.err.last?.contains("name another") == true, "\(storage.err)")
            }
            let up = try await bench.waymark("up", "--no-web", "--data", "/proc/nope")
            #expect(up.status == 1 && up.err.joined().contains("The data directory /proc/nope cannot be made"), "\(up)")
            #expect(up.err.joined().contains("--data"), "\(up)")
        }
    }
}
