// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestProcess
import TestTurns
import TestWeb
import Testing

@Suite("Monitoring over HTTP", .inTurn)
struct ProcessMonitoringTests {
    private func get(_ port: Substring, _ path: String) async throws -> PlainHTTP.Answer {
        try await PlainHTTP.request(port: try #require(UInt16(port)), path)
    }

    /// Asks until the answer is good: on a busy machine, or during the start, a loop may need more time than it has.
    private func good(_ port: Substring, _ path: String) async throws -> PlainHTTP.Answer {
        var answer = try await get(port, path)
        try await until("\(path) is good, after \(answer.text)", within: .seconds(120)) {
            if answer.status != 200 { answer = try await get(port, path) }
            return answer.status == 200
        }
        return answer
    }

    /// The metrics, once they have this line: on a busy machine a loop may take more than a second to tell its values,
    /// and then those before are told, at first none.
    private func metrics(_ port: Substring, with line: String) async throws -> String {
        var text = ""
        try await until("/metrics has \(line), after \(text)", within: .seconds(120)) {
            text = try await get(port, "/metrics").text
            return text.contains("\n\(line)\n")
        }
        return text
    }

    private func port(_ program: Child) async throws -> Substring {
        let line = try await program.err.first { $0.contains("metrics listening") }
        return try #require(line.firstMatch(of: /127\.0\.0\.1:([0-9]+)/)).output.1
    }

    @Test("storage: probes, metrics, a port in use, and a stop with an open connection")
    func storage() async throws {
        try await withBench { bench in
            let places = ["--listen", "tcp://127.0.0.1:*", "--changes", "tcp://127.0.0.1:*"]
            let storage = try bench.start(
                "waymark-storage", ["--data", "data", "--http-listen", "127.0.0.1:0"] + places)
            let port = try await port(storage)
            #expect(try await good(port, "/health/live").status == 200)
            // The listener may start a moment before the database is open.
            let ready = try await good(port, "/health/ready")
            #expect(ready.status == 200 && ready.text == "ready\n")
            let metrics = try await metrics(port, with: "waymark_storage_head_revision 0")
            #expect(metrics.contains("\nwaymark_storage_head_revision 0\n"))
            #expect(metrics.contains(#"service="storage"} 1"#))

            let second = try await bench.finish(
                "waymark-storage", ["--data", "other", "--http-listen", "127.0.0.1:\(port)"] + places)
            #expect(second.status == 1)
            let sentence = "The address 127.0.0.1:\(port) is taken: give http.listen another port"
            #expect(second.err.contains { $0.contains(sentence) }, "\(second.err)")

            storage.send(SIGTERM)
            #expect(try await storage.ended() == 0)
        }
    }

    @Test("query: alive and not ready while there is no storage")
    func query() async throws {
        try await withBench { bench in
            let query = try bench.start(
                "waymark-query",
                [
                    "--listen", "tcp://127.0.0.1:*", "--storage", "ipc://\(bench.path)/nobody", "--http-listen",
                    "127.0.0.1:0",
                ])
            let port = try await port(query)
            #expect(try await good(port, "/health/live").status == 200)
            let ready = try await get(port, "/health/ready")
            #expect(ready.status == 503 && ready.text.hasSuffix("\n") && ready.text.count > 1)
            let line = "waymark_query_ready 0"
            #expect(try await metrics(port, with: line).contains("\n\(line)\n"))
            query.send(SIGTERM)
            #expect(try await query.ended() == 0)
        }
    }

    @Test("other machines can connect only with insecure")
    func insecure() async throws {
        try await withBench { bench in
            let result = try await bench.finish(
                "waymark-storage",
                [
                    "--data", "data", "--listen", "tcp://127.0.0.1:*", "--changes", "tcp://127.0.0.1:*",
                    "--http-listen", "0.0.0.0:0",
                ])
            #expect(result.status == 1)
            #expect(result.err.contains { $0.contains("Refusing to listen on tcp://0.0.0.0:0") }, "\(result.err)")
            let wrong = try await bench.finish("waymark-query", ["--http-listen", "9464"])
            #expect(wrong.status == 2)
            #expect(wrong.err.contains { $0.contains("is not an address such as 127.0.0.1:9464") }, "\(wrong.err)")
        }
    }
}
